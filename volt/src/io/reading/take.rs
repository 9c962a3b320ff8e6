//! A reader that ends early.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead};
use pin_project_lite::pin_project;

pin_project! {
    /// The first bytes of a reader; see [`AsyncReadExt::take`](super::read_ext::AsyncReadExt::take).
    #[derive(Debug)]
    pub struct Take<R> {
        #[pin]
        inner: R,
        limit: u64,
    }
}

impl<R> Take<R> {
    pub(super) fn new(inner: R, limit: u64) -> Self {
        Self { inner, limit }
    }

    /// How many bytes may still be read.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Sets how many bytes may be read from now on.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// The reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The reader. What is read from it directly does not count.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Gives the reader back; what is behind the limit is still in it.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

/// How much of `len` bytes lies within the limit.
fn within(limit: u64, len: usize) -> usize {
    usize::try_from(limit).map_or(len, |limit| limit.min(len))
}

impl<R: AsyncRead> AsyncRead for Take<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.project();
        let most = within(*this.limit, buf.len());
        if most == 0 {
            return Poll::Ready(Ok(0));
        }
        let read = ready!(this.inner.poll_read(cx, &mut buf[..most]))?.min(most);
        *this.limit -= read as u64;
        Poll::Ready(Ok(read))
    }
}

impl<R: AsyncBufRead> AsyncBufRead for Take<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.project();
        if *this.limit == 0 {
            return Poll::Ready(Ok(&[]));
        }
        let filled = ready!(this.inner.poll_fill_buf(cx))?;
        Poll::Ready(Ok(&filled[..within(*this.limit, filled.len())]))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        let this = self.project();
        let amount = within(*this.limit, amount);
        *this.limit -= amount as u64;
        this.inner.consume(amount);
    }
}
