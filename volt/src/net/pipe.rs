//! Pipes: named pipes of the file system, and anonymous pipes.
//!
//! [`OpenOptions`] opens one end of a named pipe. [`pipe`] creates an anonymous pipe. The driver
//! watches each end, so no thread blocks on it.
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

use crate::io::{Interest, Readable, ReadyFor, Registered, Writable, with_context};
use crate::task::poll_spent;

/// Creates an anonymous pipe.
///
/// # Errors
///
/// Returns an error if the process has no free descriptors.
///
/// # Panics
///
/// Panics if called outside a volt runtime.
#[track_caller]
pub fn pipe() -> io::Result<(Sender, Receiver)> {
    let (reader, writer) = io::pipe()?;
    let sender = Sender::register(File::from(OwnedFd::from(writer)))?;
    Ok((
        sender,
        Receiver::register(File::from(OwnedFd::from(reader)))?,
    ))
}

/// Options for opening an end of a named pipe.
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum PipeEnd {
    Receiver,
    Sender,
}

impl OpenOptions {
    /// Creates options that are all `false`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens the end for both directions, which Linux allows. Then the input of a receiver does not
    /// end when the last sender is dropped, and a sender needs no receiver. The default is `false`.
    #[cfg(target_os = "linux")]
    pub fn read_write(&mut self, on: bool) -> &mut Self {
        self.read_write = on;
        self
    }

    /// Skips the check that the path is a pipe. Then every kind of file that the driver can watch
    /// can be opened. The default is `false`.
    pub fn unchecked(&mut self, on: bool) -> &mut Self {
        self.unchecked = on;
        self
    }

    /// Opens the read end.
    ///
    /// The pipe can have no sender yet. Until it has one, a read returns zero bytes, as at the end
    /// of the input.
    ///
    /// # Errors
    ///
    /// Fails as the system's `open` does, and with [`InvalidInput`](io::ErrorKind::InvalidInput) if
    /// the path is no pipe; the text names the path.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn open_receiver<P: AsRef<Path>>(&self, path: P) -> io::Result<Receiver> {
        Receiver::register(self.open(path.as_ref(), PipeEnd::Receiver)?)
    }

    /// Opens the write end.
    ///
    /// # Errors
    ///
    /// As [`open_receiver`](Self::open_receiver). The
    /// [`raw_os_error`](std::io::Error::raw_os_error) is `ENXIO` if the pipe has no receiver.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn open_sender<P: AsRef<Path>>(&self, path: P) -> io::Result<Sender> {
        Sender::register(self.open(path.as_ref(), PipeEnd::Sender)?)
    }

    fn open(self, path: &Path, end: PipeEnd) -> io::Result<File> {
        let mut options = std::fs::OpenOptions::new();
        options.read(end == PipeEnd::Receiver || self.read_write);
        options.write(end == PipeEnd::Sender || self.read_write);
        options.custom_flags(libc::O_NONBLOCK);
        let opened = options.open(path).and_then(|file| {
            if !self.unchecked {
                check_pipe(&file)?;
            }
            Ok(file)
        });
        opened.map_err(|error| match error.raw_os_error() {
            // The kind of this error does not identify it, so its number must.
            Some(libc::ENXIO) => error,
            _ => with_context(format_args!("open the pipe {}", path.display()), error),
        })
    }
}

fn check_pipe(file: &File) -> io::Result<()> {
    if file.metadata()?.file_type().is_fifo() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "the file is not a pipe",
    ))
}

/// Checks that a descriptor allows the direction of an end.
#[cfg(target_os = "linux")]
fn check_access(file: &File, forbidden: rustix::fs::OFlags) -> io::Result<()> {
    let mode = rustix::fs::fcntl_getfl(file)? & rustix::fs::OFlags::RWMODE;
    if mode != forbidden {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "the descriptor is the other end of a pipe",
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
            fn register(file: File) -> io::Result<Self> {
                SockRef::from(&file).set_nonblocking(true)?;
                let pipe = Registered::new(file)?;
                Ok(Self { pipe })
            }

            /// Converts a file of the standard library, and sets it to non-blocking.
            ///
            /// # Errors
            ///
            /// Fails with [`InvalidInput`](io::ErrorKind::InvalidInput) if the file is no pipe, or
            /// is only the other end of one, and when the system cannot watch it.
            ///
            /// # Panics
            ///
            /// Panics if called outside a volt runtime.
            #[track_caller]
            pub fn from_file(file: File) -> io::Result<Self> {
                check_pipe(&file)?;
                #[cfg(target_os = "linux")]
                check_access(&file, rustix::fs::OFlags::$forbidden)?;
                Self::register(file)
            }

            /// Converts a descriptor; see [`from_file`](Self::from_file).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`from_file`](Self::from_file).
            ///
            /// # Panics
            ///
            /// Panics if called outside a volt runtime.
            #[track_caller]
            pub fn from_owned_fd(descriptor: OwnedFd) -> io::Result<Self> {
                Self::from_file(File::from(descriptor))
            }

            /// Waits until the pipe may be in one of the states. Only a read or a write shows
            /// whether it is.
            ///
            /// # Errors
            ///
            /// Returns an error if the runtime has shut down.
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                self.pipe.ready(interest)
            }

            /// Deregisters the descriptor, sets it to blocking, and returns it.
            ///
            /// # Errors
            ///
            /// Returns an error if the descriptor cannot be set to blocking.
            pub fn into_blocking_fd(self) -> io::Result<OwnedFd> {
                let descriptor = self.into_nonblocking_fd();
                SockRef::from(&descriptor).set_nonblocking(false)?;
                Ok(descriptor)
            }

            /// Deregisters the descriptor, and returns it. It stays non-blocking.
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
    /// The write end of a pipe.
    Sender, RDONLY;
    /// The read end of a pipe.
    Receiver, WRONLY;
}

impl Sender {
    /// Waits until the pipe may have room. Only a write shows whether it has.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn writable(&self) -> Writable<'_> {
        self.pipe.writable()
    }

    /// Writes the bytes for which there is room, without waiting.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `write` fails, and
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if there is no room.
    pub fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        self.pipe.try_write_io(|mut file| file.write(buf))
    }

    /// Writes the bytes of all slices for which there is room, without waiting.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`try_write`](Self::try_write).
    pub fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
        self.pipe.try_write_io(|mut file| file.write_vectored(bufs))
    }
}

impl Receiver {
    /// Waits until the pipe may have bytes. Only a read shows whether it has.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn readable(&self) -> Readable<'_> {
        self.pipe.readable()
    }

    /// Reads the bytes that have arrived, without waiting. Zero means the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `read` fails, and
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if no bytes have arrived.
    pub fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        self.pipe.try_read_io(|mut file| file.read(buf))
    }

    /// Reads the bytes that have arrived into all slices, without waiting.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`try_read`](Self::try_read).
    pub fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        self.pipe.try_read_io(|mut file| file.read_vectored(bufs))
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

    /// Does nothing. The drop of the sender closes the pipe.
    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
