//! The lines of a reader.

use std::fmt;
use std::future::Future;
use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;

use super::split_by::Record;
use crate::io::utf8::invalid_utf8;

/// The lines of a reader; see [`AsyncBufReadExt::lines`](super::buf_read_ext::AsyncBufReadExt::lines).
///
/// A line ends with `\n` or `\r\n`, which is cut off, or with the stream.
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

    /// Sets how many bytes a line may have, without its end. Without a limit, a peer that sends
    /// bytes and no line end uses memory without bound.
    #[must_use]
    pub fn max_length(mut self, bytes: usize) -> Self {
        self.record.set_limit(bytes, 2);
        self
    }

    /// Waits for the next line; `None` is the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails as the reader does. The next call then goes on with the line.
    ///
    /// Fails with [`InvalidData`](io::ErrorKind::InvalidData) if a line is not UTF-8 or is too
    /// long. The line is then passed over: the next call returns the line after it, in whatever
    /// pieces the bytes arrive. No part of a line is ever returned as a line.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: a line that has come in part stays in here, and the next call goes on with it.
    pub fn next_line(&mut self) -> NextLine<'_, R>
    where
        R: AsyncBufRead + Unpin,
    {
        NextLine { lines: self }
    }

    /// Does what [`next_line`](Self::next_line) does.
    ///
    /// # Errors
    ///
    /// As there.
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

    /// The reader.
    pub fn get_ref(&self) -> &R {
        &self.reader
    }

    /// The reader. What is read from it directly is missing in the lines.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Gives the reader back. A line that has come in part is lost.
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
