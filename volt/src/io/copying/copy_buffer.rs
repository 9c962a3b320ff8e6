//! Bytes on their way from a reader to a writer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncWrite};

use super::copy_progress::CopyProgress;
use crate::task::poll_proceed;

/// How much is on its way at most.
const CAPACITY: usize = 8 * 1024;

/// What was read and not yet written.
#[derive(Debug, Default)]
pub(super) struct CopyBuffer {
    /// Nothing until the first poll.
    buf: Box<[u8]>,
    from: usize,
    to: usize,
    has_ended: bool,
    progress: CopyProgress,
}

impl CopyBuffer {
    /// Moves everything up to the end of the reader, flushes the writer, and says how much it was.
    /// Whenever it has to wait for the reader, it flushes the writer first.
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
