//! Futures that write.

use std::fmt;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncWrite;

use crate::io::future_macro::io_future;
use crate::task::{poll_leaf, poll_spent};

io_future! {
    /// The future of [`AsyncWriteExt::write`](super::write_ext::AsyncWriteExt::write).
    Write on AsyncWrite [buf: &'a [u8]] -> io::Result<usize>,
    |cx, writer| poll_leaf(cx, |cx| Pin::new(writer).poll_write(cx, buf))
}

io_future! {
    /// The future of [`AsyncWriteExt::write_all`](super::write_ext::AsyncWriteExt::write_all).
    WriteAll on AsyncWrite [buf: &'a [u8]] state [usize] -> io::Result<()>,
    |cx, writer, written| poll_write_all(cx, writer, buf, written)
}

/// Writes the rest of the buffer, of which `written` bytes are written.
pub(super) fn poll_write_all<W>(
    cx: &mut Context<'_>,
    writer: &mut W,
    buf: &[u8],
    written: &mut usize,
) -> Poll<io::Result<()>>
where
    W: AsyncWrite + Unpin + ?Sized,
{
    if buf.is_empty() {
        return poll_spent(cx).map(Ok);
    }
    while let Some(rest) = buf.get(*written..).filter(|rest| !rest.is_empty()) {
        match ready!(poll_leaf(cx, |cx| Pin::new(&mut *writer).poll_write(cx, rest)))? {
            0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
            n => *written += n,
        }
    }
    Poll::Ready(Ok(()))
}

io_future! {
    /// The future of [`AsyncWriteExt::flush`](super::write_ext::AsyncWriteExt::flush).
    Flush on AsyncWrite [] -> io::Result<()>,
    |cx, writer| poll_leaf(cx, |cx| Pin::new(writer).poll_flush(cx))
}

io_future! {
    /// The future of [`AsyncWriteExt::close`](super::write_ext::AsyncWriteExt::close).
    Close on AsyncWrite [] -> io::Result<()>,
    |cx, writer| poll_leaf(cx, |cx| Pin::new(writer).poll_close(cx))
}

/// The future of
/// [`AsyncWriteExt::write_vectored`](super::write_ext::AsyncWriteExt::write_vectored).
#[must_use = "futures do nothing unless polled"]
pub struct WriteVectored<'a, 'b, W: ?Sized> {
    pub(super) writer: &'a mut W,
    pub(super) bufs: &'a [IoSlice<'b>],
}

impl<W: AsyncWrite + Unpin + ?Sized> Future for WriteVectored<'_, '_, W> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        poll_leaf(cx, |cx| {
            Pin::new(&mut *this.writer).poll_write_vectored(cx, this.bufs)
        })
    }
}

impl<W: ?Sized> fmt::Debug for WriteVectored<'_, '_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteVectored").finish_non_exhaustive()
    }
}
