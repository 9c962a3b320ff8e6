//! Reads into memory that nothing has been written to.

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

/// Connections that read into memory as it is, for adapters to other libraries.
///
/// A library that hands out spare room of a buffer would have to fill it with zeros before each
/// read otherwise. Nobody else can implement this trait, so `unsafe` code may rely on the promise
/// of [`poll_read_uninit`](Self::poll_read_uninit).
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
///     // SAFETY: so many bytes were read.
///     .map(|byte| unsafe { byte.assume_init() })
///     .collect();
/// assert_eq!(bytes, b"five!");
/// # std::io::Result::Ok(())
/// # }).unwrap();
/// ```
pub trait ReadUninit: sealed::Sealed {
    /// Reads into the buffer and returns how many bytes came; zero is the end of the stream.
    ///
    /// That many bytes of the buffer, from its beginning, are initialised then. The waker of the
    /// last call is kept, as by the other `poll_` methods that read.
    ///
    /// # Errors
    ///
    /// Fails as the system's `recv` does, or when the runtime has shut down. Nothing was read then.
    fn poll_read_uninit(
        &self,
        cx: &mut Context<'_>,
        buf: &mut [MaybeUninit<u8>],
    ) -> Poll<io::Result<usize>>;
}

mod sealed {
    //! Nobody else implements the trait of this module.

    /// A supertrait that cannot be named outside of this crate.
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

/// Reads into what tokio's buffer has room for.
#[cfg(feature = "tokio")]
pub(super) fn poll_fill(
    stream: &impl ReadUninit,
    cx: &mut Context<'_>,
    buf: &mut tokio::io::ReadBuf<'_>,
) -> Poll<io::Result<()>> {
    // SAFETY: What is initialised of it is written over by the system, or left alone.
    let room = unsafe { buf.unfilled_mut() };
    stream.poll_read_uninit(cx, room).map_ok(|count| {
        // SAFETY: The system has written so many bytes there.
        unsafe { buf.assume_init(count) };
        buf.advance(count);
    })
}
