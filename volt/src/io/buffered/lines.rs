//! `Lines`: the lines of a reader.

use std::fmt;
use std::future::Future;
use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;

use super::split_by::Record;
use crate::io::utf8::invalid_utf8;

/// The lines of a reader; see
/// [`AsyncBufReadExt::lines`](super::buf_read_ext::AsyncBufReadExt::lines).
///
/// A line ends with `\n`, `\r\n` or the stream. The line end is removed.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    record: Record,
}

impl<R> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        let record = Record::new(b'\n');
        Self { reader, record }
    }

    /// Sets the largest length of a line in bytes, without its line end. The default is no limit.
    /// Without a limit, a peer that sends no line end uses memory without bound.
    #[must_use]
    pub fn max_length(mut self, bytes: usize) -> Self {
        self.record.set_limit(bytes, 2);
        self
    }

    /// Waits for the next line. `None` means the end of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader. The next call then continues with the line.
    ///
    /// Returns [`InvalidData`](io::ErrorKind::InvalidData) if a line is not UTF-8 or is too long.
    /// The line is then skipped: the next call returns the line after it. No part of a line is
    /// returned as a line.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: the received part of a line is stored, and the next call continues with it.
    pub fn next_line(&mut self) -> NextLine<'_, R>
    where
        R: AsyncBufRead + Unpin,
    {
        NextLine { lines: self }
    }

    /// Polls for the operation of [`next_line`](Self::next_line). The waker of the last caller is
    /// stored.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`next_line`](Self::next_line).
    pub fn poll_next_line(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<String>>>
    where
        R: AsyncBufRead + Unpin,
    {
        if !ready!(self.record.poll(cx, &mut self.reader, "line"))? {
            return Poll::Ready(Ok(None));
        }
        let mut line = mem::take(&mut self.record.bytes);
        if line.pop_if(|last| *last == b'\n').is_some() {
            line.pop_if(|last| *last == b'\r');
        }
        if let Err(error) = self.record.check(line.len(), "line") {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(
            String::from_utf8(line)
                .map(Some)
                .map_err(|_| invalid_utf8()),
        )
    }

    /// Returns a reference to the reader.
    pub fn get_ref(&self) -> &R {
        &self.reader
    }

    /// Returns a mutable reference to the reader. Bytes that are read from it directly are missing
    /// in the lines.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Returns the reader. The received part of a line is lost.
    pub fn into_inner(self) -> R {
        self.reader
    }
}

/// The future of [`Lines::next_line`].
#[must_use = "futures do nothing unless polled"]
pub struct NextLine<'a, R> {
    lines: &'a mut Lines<R>,
}

impl<R: AsyncBufRead + Unpin> Future for NextLine<'_, R> {
    type Output = io::Result<Option<String>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.get_mut().lines.poll_next_line(cx)
    }
}

impl<R> fmt::Debug for NextLine<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextLine").finish_non_exhaustive()
    }
}
