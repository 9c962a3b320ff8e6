//! `Chain`: one reader after another.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead};
use pin_project_lite::pin_project;

pin_project! {
    /// A reader that continues with a second reader at the end of the first; see
    /// [`AsyncReadExt::chain`](super::read_ext::AsyncReadExt::chain).
    #[derive(Debug)]
    pub struct Chain<A, B> {
        #[pin]
        first: A,
        #[pin]
        second: B,
        first_is_over: bool,
    }
}

impl<A, B> Chain<A, B> {
    pub(super) fn new(first: A, second: B) -> Self {
        Self {
            first,
            second,
            first_is_over: false,
        }
    }

    /// Returns references to the two readers.
    pub fn get_ref(&self) -> (&A, &B) {
        (&self.first, &self.second)
    }

    /// Returns the two readers.
    pub fn into_inner(self) -> (A, B) {
        (self.first, self.second)
    }
}

impl<A: AsyncRead, B: AsyncRead> AsyncRead for Chain<A, B> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.project();
        if !*this.first_is_over {
            let read = ready!(this.first.poll_read(cx, buf))?;
            if read > 0 || buf.is_empty() {
                return Poll::Ready(Ok(read));
            }
            *this.first_is_over = true;
        }
        this.second.poll_read(cx, buf)
    }
}

impl<A: AsyncBufRead, B: AsyncBufRead> AsyncBufRead for Chain<A, B> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.project();
        if !*this.first_is_over {
            let filled = ready!(this.first.poll_fill_buf(cx))?;
            if !filled.is_empty() {
                return Poll::Ready(Ok(filled));
            }
            *this.first_is_over = true;
        }
        this.second.poll_fill_buf(cx)
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        let this = self.project();
        if *this.first_is_over {
            this.second.consume(amount);
        } else {
            this.first.consume(amount);
        }
    }
}
