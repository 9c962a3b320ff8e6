//! The progress of a copy: bytes written, and a pending flush.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncWrite;

/// The number of bytes that the writer has accepted, and the need for a flush.
#[derive(Debug, Default)]
pub(super) struct CopyProgress {
    needs_flush: bool,
    moved: u64,
}

impl CopyProgress {
    /// Writes some of the bytes, and returns their number.
    pub(super) fn poll_write<W>(
        &mut self,
        cx: &mut Context<'_>,
        writer: &mut W,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>>
    where
        W: AsyncWrite + Unpin + ?Sized,
    {
        let written = ready!(Pin::new(writer).poll_write(cx, bytes))?;
        if written == 0 {
            return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
        }
        self.moved += written as u64;
        self.needs_flush = true;
        Poll::Ready(Ok(written))
    }

    /// Flushes the writer while the reader waits, so that the writer delays no bytes. Is ready only
    /// with an error.
    pub(super) fn poll_pause<W, T>(
        &mut self,
        cx: &mut Context<'_>,
        writer: &mut W,
    ) -> Poll<io::Result<T>>
    where
        W: AsyncWrite + Unpin + ?Sized,
    {
        if self.needs_flush {
            ready!(Pin::new(writer).poll_flush(cx))?;
            self.needs_flush = false;
        }
        Poll::Pending
    }

    /// Flushes the writer at the end of the reader, and returns the number of bytes.
    pub(super) fn poll_end<W>(&self, cx: &mut Context<'_>, writer: &mut W) -> Poll<io::Result<u64>>
    where
        W: AsyncWrite + Unpin + ?Sized,
    {
        ready!(Pin::new(writer).poll_flush(cx))?;
        Poll::Ready(Ok(self.moved))
    }
}
