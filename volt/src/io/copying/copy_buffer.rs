//! The buffer between a reader and a writer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncWrite};

use super::copy_progress::CopyProgress;
use crate::task::poll_proceed;

/// The size of the buffer, in bytes.
const CAPACITY: usize = 8 * 1024;

/// Bytes that were read and not yet written.
#[derive(Debug, Default)]
pub(super) struct CopyBuffer {
    /// Empty until the first poll.
    buf: Box<[u8]>,
    from: usize,
    to: usize,
    has_ended: bool,
    progress: CopyProgress,
}

impl CopyBuffer {
    /// Copies all bytes of the reader, flushes the writer, and returns the number of bytes. The
    /// writer is flushed each time the copy waits for the reader.
    pub(super) fn poll<R, W>(
        &mut self,
        cx: &mut Context<'_>,
        reader: &mut R,
        writer: &mut W,
    ) -> Poll<io::Result<u64>>
    where
        R: AsyncRead + Unpin + ?Sized,
        W: AsyncWrite + Unpin + ?Sized,
    {
        if self.buf.is_empty() {
            self.buf = vec![0; CAPACITY].into_boxed_slice();
        }
        loop {
            let budget = ready!(poll_proceed(cx));
            ready!(self.poll_write(cx, writer))?;
            if self.has_ended {
                return self.progress.poll_end(cx, writer);
            }
            let Poll::Ready(read) = Pin::new(&mut *reader).poll_read(cx, &mut self.buf) else {
                return self.progress.poll_pause(cx, writer);
            };
            budget.made_progress();
            (self.from, self.to) = (0, read?.min(CAPACITY));
            self.has_ended = self.to == 0;
        }
    }

    fn poll_write<W>(&mut self, cx: &mut Context<'_>, writer: &mut W) -> Poll<io::Result<()>>
    where
        W: AsyncWrite + Unpin + ?Sized,
    {
        while self.from < self.to {
            let rest = &self.buf[self.from..self.to];
            self.from += ready!(self.progress.poll_write(cx, writer, rest))?;
        }
        Poll::Ready(Ok(()))
    }
}
