//! `FillBuf`: the future that waits for bytes in a buffer.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::AsyncBufRead;

use crate::task::{poll_leaf, with_unlimited_budget};

/// The future of [`AsyncBufReadExt::fill_buf`](super::buf_read_ext::AsyncBufReadExt::fill_buf).
#[must_use = "futures do nothing unless polled"]
pub struct FillBuf<'a, R: ?Sized> {
    /// `None` after completion.
    reader: Option<&'a mut R>,
}

impl<'a, R: ?Sized> FillBuf<'a, R> {
    pub(super) fn new(reader: &'a mut R) -> Self {
        let reader = Some(reader);
        Self { reader }
    }
}

impl<'a, R: AsyncBufRead + Unpin + ?Sized> Future for FillBuf<'a, R> {
    type Output = io::Result<&'a [u8]>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let reader = this.reader.take();
        let reader = reader.expect("`FillBuf` polled after completion");
        let polled = poll_leaf(cx, |cx| {
            let polled = Pin::new(&mut *reader).poll_fill_buf(cx);
            polled.map_ok(<[u8]>::is_empty)
        });
        match polled {
            Poll::Ready(Ok(true)) => Poll::Ready(Ok(&[])),
            // Only a call that borrows the reader for `'a` can return such a slice, so this is a
            // second call. The first call took from the budget for both.
            Poll::Ready(Ok(false)) => {
                match with_unlimited_budget(|| Pin::new(reader).poll_fill_buf(cx)) {
                    Poll::Ready(filled) => Poll::Ready(filled),
                    Poll::Pending => Poll::Ready(Err(io::Error::other(
                        "a buffered reader had bytes in one call and none in the next",
                    ))),
                }
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                this.reader = Some(reader);
                Poll::Pending
            }
        }
    }
}

impl<R: ?Sized> fmt::Debug for FillBuf<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FillBuf").finish_non_exhaustive()
    }
}
