//! `Take`: a reader with a limit.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead};
use pin_project_lite::pin_project;

use crate::task::poll_spent;

pin_project! {
    /// A reader that ends after a number of bytes; see
    /// [`AsyncReadExt::take`](super::read_ext::AsyncReadExt::take).
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

    /// Returns the number of bytes that can still be read.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Sets the number of bytes that can be read from now on.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Returns a reference to the reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns a mutable reference to the reader. Bytes that are read from it directly do not
    /// count.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the reader. It still has the bytes after the limit.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

/// Returns the smaller of `len` and the limit.
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
            return poll_spent(cx).map(|()| Ok(0));
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
            return poll_spent(cx).map(|()| Ok(&[][..]));
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
