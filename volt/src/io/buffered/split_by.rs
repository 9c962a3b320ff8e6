//! The pieces of a reader between the occurrences of a byte.

use std::fmt;
use std::future::Future;
use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;

use super::read_until::poll_piece;

/// What was read so far of what ends with a byte.
#[derive(Debug)]
pub(super) struct Record {
    end: u8,
    /// How many bytes it may have, the end counted.
    pub(super) limit: usize,
    pub(super) bytes: Vec<u8>,
}

impl Record {
    pub(super) fn new(end: u8) -> Self {
        Self {
            end,
            limit: usize::MAX,
            bytes: Vec::new(),
        }
    }

    /// Gathers a whole one in `bytes`, its end with it, and says whether there was one.
    ///
    /// # Errors
    ///
    /// Fails as the reader does, and when it gets too long; then what was gathered is gone.
    pub(super) fn poll<R>(&mut self, cx: &mut Context<'_>, reader: &mut R) -> Poll<io::Result<bool>>
    where
        R: AsyncBufRead + Unpin,
    {
        loop {
            let (bytes, limit) = (&mut self.bytes, self.limit);
            let mut is_too_long = false;
            let (_, is_over) = ready!(poll_piece(cx, reader, self.end, |piece| {
                is_too_long = bytes.len().saturating_add(piece.len()) > limit;
                if !is_too_long {
                    bytes.extend_from_slice(piece);
                }
                Ok(())
            }))?;
            if is_too_long {
                self.bytes.clear();
                return Poll::Ready(Err(self.too_long()));
            }
            if is_over {
                return Poll::Ready(Ok(!self.bytes.is_empty()));
            }
        }
    }

    #[cold]
    pub(super) fn too_long(&self) -> io::Error {
        let text = format!(
            "a line is longer than {} bytes",
            self.limit.saturating_sub(2)
        );
        io::Error::new(io::ErrorKind::InvalidData, text)
    }
}

/// The pieces of a reader between the occurrences of a byte; see
/// [`AsyncBufReadExt::split`](super::buf_read_ext::AsyncBufReadExt::split).
#[derive(Debug)]
pub struct Split<R> {
    reader: R,
    record: Record,
}

impl<R> Split<R> {
    pub(super) fn new(reader: R, end: u8) -> Self {
        let record = Record::new(end);
        Self { reader, record }
    }

    /// Waits for the next piece, without the byte that ends it; `None` is the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails as the reader does.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: a piece that has come in part stays in here, and the next call goes on with it.
    pub fn next_segment(&mut self) -> NextSegment<'_, R>
    where
        R: AsyncBufRead + Unpin,
    {
        NextSegment { split: self }
    }

    /// Does what [`next_segment`](Self::next_segment) does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll_next_segment(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Vec<u8>>>>
    where
        R: AsyncBufRead + Unpin,
    {
        if !ready!(self.record.poll(cx, &mut self.reader))? {
            return Poll::Ready(Ok(None));
        }
        let mut segment = mem::take(&mut self.record.bytes);
        let end = self.record.end;
        segment.pop_if(|last| *last == end);
        Poll::Ready(Ok(Some(segment)))
    }

    /// Gives the reader back. A piece that has come in part is lost.
    pub fn into_inner(self) -> R {
        self.reader
    }
}

/// The future of [`Split::next_segment`].
#[must_use = "futures do nothing unless polled"]
pub struct NextSegment<'a, R> {
    split: &'a mut Split<R>,
}

impl<R: AsyncBufRead + Unpin> Future for NextSegment<'_, R> {
    type Output = io::Result<Option<Vec<u8>>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.get_mut().split.poll_next_segment(cx)
    }
}

impl<R> fmt::Debug for NextSegment<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextSegment").finish_non_exhaustive()
    }
}
