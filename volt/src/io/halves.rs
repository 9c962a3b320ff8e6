//! The two halves of any stream.

use std::fmt;
use std::io::{self, IoSlice, IoSliceMut};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};

use crate::loom::sync::{Arc, Mutex};

/// Takes a stream apart into two halves, one to read and one to write, for two tasks.
///
/// The halves share the stream behind a lock that is held for a poll and never for longer. A
/// [`TcpStream`](crate::net::TcpStream) needs no lock: its own `into_split` is better. This one is
/// for streams that are read and written by `&mut`, as those of TLS.
///
/// # Examples
///
/// ```
/// use volt::io::{AsyncReadExt, AsyncWriteExt, split};
/// use volt::net::UnixStream;
///
/// volt::block_on(async {
///     let (near, far) = UnixStream::pair()?;
///     let (mut reader, mut writer) = split(far);
///     let echo = volt::spawn(async move { volt::io::copy(&mut reader, &mut writer).await });
///     near.write_all(b"hello").await?;
///     let mut answer = [0; 5];
///     near.read_exact(&mut answer).await?;
///     near.shutdown(std::net::Shutdown::Write)?;
///     assert_eq!((&answer, echo.await??), (b"hello", 5));
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn split<S>(stream: S) -> (ReadHalf<S>, WriteHalf<S>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let stream = Arc::new(Mutex::new(stream));
    let write = WriteHalf(Arc::clone(&stream));
    (ReadHalf(stream), write)
}

/// The half of a stream that is read, made by [`split`].
pub struct ReadHalf<S>(Arc<Mutex<S>>);

/// The half of a stream that is written, made by [`split`].
///
/// Dropping it does not end the stream; [`close`](crate::io::AsyncWriteExt::close) does.
pub struct WriteHalf<S>(Arc<Mutex<S>>);

impl<S> ReadHalf<S> {
    /// Whether the two are halves of one stream.
    pub fn is_pair_of(&self, write: &WriteHalf<S>) -> bool {
        Arc::ptr_eq(&self.0, &write.0)
    }

    /// Puts the two halves of one stream together again.
    ///
    /// # Errors
    ///
    /// Gives both back if they are halves of different streams.
    pub fn reunite(self, write: WriteHalf<S>) -> Result<S, (Self, WriteHalf<S>)> {
        if !self.is_pair_of(&write) {
            return Err((self, write));
        }
        drop(write);
        // Only the two halves have had it.
        let stream = Arc::into_inner(self.0).expect("the other half is gone");
        Ok(stream.into_inner())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ReadHalf<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0.lock()).poll_read(cx, buf)
    }

    fn poll_read_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0.lock()).poll_read_vectored(cx, bufs)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteHalf<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0.lock()).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0.lock()).poll_write_vectored(cx, bufs)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0.lock()).poll_flush(cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0.lock()).poll_close(cx)
    }
}

impl<S> fmt::Debug for ReadHalf<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadHalf").finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for WriteHalf<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteHalf").finish_non_exhaustive()
    }
}
