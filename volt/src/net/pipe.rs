//! Pipes: with a name in the file system, and without one.
//!
//! A pipe with a name is opened by [`OpenOptions`], one end at a time. [`pipe`] makes one without a
//! name. The driver watches each end, so no thread waits for it.
//!
//! # Examples
//!
//! ```
//! use volt::io::{AsyncReadExt, AsyncWriteExt};
//! use volt::net::pipe;
//!
//! volt::block_on(async {
//!     let (mut sender, mut receiver) = pipe::pipe()?;
//!     sender.write_all(b"hello").await?;
//!     drop(sender);
//!     let mut text = String::new();
//!     receiver.read_to_string(&mut text).await?;
//!     assert_eq!(text, "hello");
//!     std::io::Result::Ok(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};
use socket2::SockRef;

use crate::io::{Readable, Registered, Writable, with_context};
use crate::task::poll_spent;

/// Makes a pipe without a name.
///
/// # Errors
///
/// Fails when the system grants no descriptors.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub fn pipe() -> io::Result<(Sender, Receiver)> {
    let (reader, writer) = io::pipe()?;
    let sender = Sender::watch(File::from(OwnedFd::from(writer)))?;
    Ok((sender, Receiver::watch(File::from(OwnedFd::from(reader)))?))
}

/// The settings with which an end of a named pipe is opened.
///
/// # Examples
///
/// ```
/// # use std::process::Command;
/// use volt::io::{AsyncReadExt, AsyncWriteExt};
/// use volt::net::pipe::OpenOptions;
///
/// # let path = std::env::temp_dir().join(format!("volt-pipe-{}", std::process::id()));
/// # assert!(Command::new("mkfifo").arg(&path).status()?.success());
/// volt::block_on(async {
///     let mut receiver = OpenOptions::new().open_receiver(&path)?;
///     let mut sender = OpenOptions::new().open_sender(&path)?;
///     sender.write_all(b"hello").await?;
///     let mut buf = [0; 5];
///     receiver.read_exact(&mut buf).await?;
///     assert_eq!(&buf, b"hello");
///     std::fs::remove_file(&path)
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    read_write: bool,
    unchecked: bool,
}

impl OpenOptions {
    /// Begins with all settings off.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens either end for both directions, which Linux allows. Then a receiver does not find the
    /// end of its input when the last sender is gone, and a sender needs no receiver.
    #[cfg(target_os = "linux")]
    pub fn read_write(&mut self, on: bool) -> &mut Self {
        self.read_write = on;
        self
    }

    /// Leaves out the check that the path is a pipe. Every kind of file that the driver can watch
    /// is opened then.
    pub fn unchecked(&mut self, on: bool) -> &mut Self {
        self.unchecked = on;
        self
    }

    /// Opens the end that is read.
    ///
    /// The pipe need not have a sender yet. Until it has one, a read returns no bytes, as at the
    /// end of the input.
    ///
    /// # Errors
    ///
    /// Fails as the system's `open` does, and with [`InvalidInput`](io::ErrorKind::InvalidInput) if
    /// the path is no pipe; the text names the path.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn open_receiver<P: AsRef<Path>>(&self, path: P) -> io::Result<Receiver> {
        Receiver::watch(self.open(path.as_ref(), true)?)
    }

    /// Opens the end that is written.
    ///
    /// # Errors
    ///
    /// As [`open_receiver`](Self::open_receiver). The system's error is `ENXIO` if the pipe has no
    /// receiver.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn open_sender<P: AsRef<Path>>(&self, path: P) -> io::Result<Sender> {
        Sender::watch(self.open(path.as_ref(), false)?)
    }

    fn open(self, path: &Path, reads: bool) -> io::Result<File> {
        let mut options = std::fs::OpenOptions::new();
        options.read(reads || self.read_write);
        options.write(!reads || self.read_write);
        options.custom_flags(libc::O_NONBLOCK);
        let opened = options.open(path).and_then(|file| match self.unchecked {
            true => Ok(file),
            false => check_pipe(&file).map(|()| file),
        });
        opened
            .map_err(|error| with_context(format_args!("open the pipe {}", path.display()), error))
    }
}

fn check_pipe(file: &File) -> io::Result<()> {
    if file.metadata()?.file_type().is_fifo() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a pipe"))
}

/// Checks that a descriptor may be used in one direction.
#[cfg(target_os = "linux")]
fn check_access(file: &File, forbidden: rustix::fs::OFlags) -> io::Result<()> {
    let mode = rustix::fs::fcntl_getfl(file)? & rustix::fs::OFlags::RWMODE;
    if mode != forbidden {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "the other end of a pipe",
    ))
}

/// Declares an end of a pipe.
macro_rules! impl_pipe_ends {
    ($($(#[$attribute:meta])* $End:ident, $forbidden:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Debug)]
        pub struct $End {
            pipe: Registered<File>,
        }

        impl $End {
            #[track_caller]
            fn watch(file: File) -> io::Result<Self> {
                SockRef::from(&file).set_nonblocking(true)?;
                let pipe = Registered::new(file)?;
                Ok(Self { pipe })
            }

            /// Takes over a file of the standard library, and sets it not to block.
            ///
            /// # Errors
            ///
            /// Fails with [`InvalidInput`](io::ErrorKind::InvalidInput) if the file is no pipe, or
            /// is only the other end of one, and when the system cannot watch it.
            ///
            /// # Panics
            ///
            /// Panics on a thread that is in no runtime.
            #[track_caller]
            pub fn from_file(file: File) -> io::Result<Self> {
                check_pipe(&file)?;
                #[cfg(target_os = "linux")]
                check_access(&file, rustix::fs::OFlags::$forbidden)?;
                Self::watch(file)
            }

            /// As [`from_file`](Self::from_file), from a descriptor.
            ///
            /// # Errors
            ///
            /// As [`from_file`](Self::from_file).
            ///
            /// # Panics
            ///
            /// Panics on a thread that is in no runtime.
            #[track_caller]
            pub fn from_owned_fd(descriptor: OwnedFd) -> io::Result<Self> {
                Self::from_file(File::from(descriptor))
            }

            /// Ends the watch, and returns the descriptor, which blocks from then on.
            ///
            /// # Errors
            ///
            /// Fails when the system cannot set the descriptor to block.
            pub fn into_blocking_fd(self) -> io::Result<OwnedFd> {
                let descriptor = self.into_nonblocking_fd();
                SockRef::from(&descriptor).set_nonblocking(false)?;
                Ok(descriptor)
            }

            /// Ends the watch, and returns the descriptor, which does not block.
            pub fn into_nonblocking_fd(self) -> OwnedFd {
                OwnedFd::from(self.pipe.into_inner())
            }
        }

        impl AsFd for $End {
            fn as_fd(&self) -> BorrowedFd<'_> {
                self.pipe.as_fd()
            }
        }

        impl AsRawFd for $End {
            fn as_raw_fd(&self) -> RawFd {
                self.pipe.as_raw_fd()
            }
        }
    )*};
}

impl_pipe_ends! {
    /// The end of a pipe that is written.
    Sender, RDONLY;
    /// The end of a pipe that is read.
    Receiver, WRONLY;
}

impl Sender {
    /// Waits until the pipe may have room; only a write shows whether it has.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn writable(&self) -> Writable<'_> {
        self.pipe.writable()
    }

    /// Writes what there is room for now.
    ///
    /// # Errors
    ///
    /// Fails as the system's `write` does, and with [`WouldBlock`](io::ErrorKind::WouldBlock) when
    /// there is no room.
    pub fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        self.pipe.try_write_io(|mut file| file.write(buf))
    }
}

impl Receiver {
    /// Waits until the pipe may have bytes; only a read shows whether it has.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn readable(&self) -> Readable<'_> {
        self.pipe.readable()
    }

    /// Reads the bytes that are there now; zero is the end of the input.
    ///
    /// # Errors
    ///
    /// Fails as the system's `read` does, and with [`WouldBlock`](io::ErrorKind::WouldBlock) when
    /// no bytes are there.
    pub fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        self.pipe.try_read_io(|mut file| file.read(buf))
    }
}

impl AsyncRead for Receiver {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.pipe.poll_read_io(cx, |mut file| file.read(buf))
    }

    fn poll_read_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        self.pipe
            .poll_read_io(cx, |mut file| file.read_vectored(bufs))
    }
}

impl AsyncWrite for Sender {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.pipe.poll_write_io(cx, |mut file| file.write(buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.pipe
            .poll_write_io(cx, |mut file| file.write_vectored(bufs))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        poll_spent(cx).map(Ok)
    }

    /// Does nothing: the pipe ends when this is dropped.
    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
