//! `ReadUninit`: reads into uninitialized memory.

use std::io;
use std::mem::MaybeUninit;
use std::task::{Context, Poll};

use socket2::SockRef;

use crate::driver::Direction;
use crate::net::socket::{HasStream as _, Transport};
use crate::net::stream::OwnedReadHalf;
use crate::net::tcp::TcpStream;
#[cfg(unix)]
use crate::net::unix::UnixStream;

/// A connection that can read into uninitialized memory, for adapters to other libraries.
///
/// Without this trait, such an adapter must fill the spare capacity of a buffer with zeros before
/// each read. Other crates cannot implement it, so `unsafe` code may rely on the guarantee of
/// [`poll_read_uninit`](Self::poll_read_uninit).
///
/// # Examples
///
/// ```
/// use std::future::poll_fn;
/// use std::mem::MaybeUninit;
/// use volt::net::{ReadUninit, TcpListener, connect};
///
/// # volt::block_on(async {
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// let client = connect(listener.local_addr()?).await?;
/// let (server, _) = listener.accept().await?;
/// server.write_all(b"five!").await?;
///
/// let mut room = [MaybeUninit::uninit(); 16];
/// let count = poll_fn(|cx| client.poll_read_uninit(cx, &mut room)).await?;
/// let bytes: Vec<u8> = room[..count]
///     .iter()
///     // SAFETY: `count` bytes were read.
///     .map(|byte| unsafe { byte.assume_init() })
///     .collect();
/// assert_eq!(bytes, b"five!");
/// # std::io::Result::Ok(())
/// # }).unwrap();
/// ```
pub trait ReadUninit: sealed::Sealed {
    /// Reads into the buffer, and returns the number of bytes. Zero means the end of the stream.
    ///
    /// If it returns `n`, the first `n` bytes of the buffer are initialized. The waker of the last
    /// caller is stored, as by the other `poll_` methods that read.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `recv` fails, or if the runtime has shut down. No bytes
    /// were read in this case.
    fn poll_read_uninit(
        &self,
        cx: &mut Context<'_>,
        buf: &mut [MaybeUninit<u8>],
    ) -> Poll<io::Result<usize>>;
}

mod sealed {
    //! Seals the trait of this module.

    /// A supertrait that other crates cannot name.
    pub trait Sealed {}
}

macro_rules! impl_read_uninit {
    ($stream:ty) => {
        impl sealed::Sealed for $stream {}

        impl ReadUninit for $stream {
            fn poll_read_uninit(
                &self,
                cx: &mut Context<'_>,
                buf: &mut [MaybeUninit<u8>],
            ) -> Poll<io::Result<usize>> {
                let wanted = buf.len();
                self.io
                    .poll_transfer(cx, Direction::Read, wanted, |stream| {
                        SockRef::from(stream).recv(buf)
                    })
            }
        }
    };
}

impl_read_uninit!(TcpStream);
#[cfg(unix)]
impl_read_uninit!(UnixStream);

impl<S: Transport> sealed::Sealed for OwnedReadHalf<S> {}

impl<S: Transport + ReadUninit> ReadUninit for OwnedReadHalf<S> {
    fn poll_read_uninit(
        &self,
        cx: &mut Context<'_>,
        buf: &mut [MaybeUninit<u8>],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_read_uninit(cx, buf)
    }
}

/// Reads into the unfilled part of tokio's buffer.
#[cfg(feature = "tokio")]
pub(super) fn poll_fill(
    stream: &impl ReadUninit,
    cx: &mut Context<'_>,
    buf: &mut tokio::io::ReadBuf<'_>,
) -> Poll<io::Result<()>> {
    // SAFETY: The system only writes to the buffer, so initialized bytes stay initialized.
    let room = unsafe { buf.unfilled_mut() };
    stream.poll_read_uninit(cx, room).map_ok(|count| {
        // SAFETY: The system has written `count` bytes to the start of the unfilled part.
        unsafe { buf.assume_init(count) };
        buf.advance(count);
    })
}
