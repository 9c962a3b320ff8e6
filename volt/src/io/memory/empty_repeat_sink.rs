//! `empty`, `repeat` and `sink`: streams without content of their own.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead, AsyncWrite};

use crate::task::poll_spent;

/// Creates a reader that is at its end.
pub fn empty() -> Empty {
    Empty(())
}

/// Creates a reader that repeats one byte without end.
pub fn repeat(byte: u8) -> Repeat {
    Repeat(byte)
}

/// Creates a writer that discards all bytes.
pub fn sink() -> Sink {
    Sink(())
}

/// The reader of [`empty`].
#[derive(Debug)]
pub struct Empty(());

/// The reader of [`repeat`].
#[derive(Debug)]
pub struct Repeat(u8);

/// The writer of [`sink`].
#[derive(Debug)]
pub struct Sink(());

impl AsyncRead for Empty {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        _: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        ready!(poll_spent(cx));
        Poll::Ready(Ok(0))
    }
}

impl AsyncBufRead for Empty {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        ready!(poll_spent(cx));
        Poll::Ready(Ok(&[]))
    }

    fn consume(self: Pin<&mut Self>, _: usize) {}
}

impl AsyncRead for Repeat {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        ready!(poll_spent(cx));
        buf.fill(self.0);
        Poll::Ready(Ok(buf.len()))
    }
}

impl AsyncWrite for Sink {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(poll_spent(cx));
        Poll::Ready(Ok(buf.len()))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(poll_spent(cx));
        Poll::Ready(Ok(bufs.iter().map(|buf| buf.len()).sum()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        poll_spent(cx).map(Ok)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        poll_spent(cx).map(Ok)
    }
}
