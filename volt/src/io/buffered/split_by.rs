//! `Split`: the segments of a reader between the occurrences of a byte.

use std::fmt;
use std::future::Future;
use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;

use super::read_until::poll_piece;

/// The bytes of an incomplete record. A record ends with one byte.
#[derive(Debug)]
pub(super) struct Record {
    end: u8,
    limit: Option<RecordLimit>,
    /// The record is too long, and its rest must be read and dropped.
    is_skipped: bool,
    pub(super) bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct RecordLimit {
    /// The largest length of a record in bytes, without its end.
    bytes: usize,
    /// The largest length of its end in bytes.
    end: usize,
}

impl Record {
    pub(super) fn new(end: u8) -> Self {
        Self {
            end,
            limit: None,
            is_skipped: false,
            bytes: Vec::new(),
        }
    }

    /// Limits a record to `bytes` bytes, and its end to `end` bytes.
    pub(super) fn set_limit(&mut self, bytes: usize, end: usize) {
        self.limit = Some(RecordLimit { bytes, end });
    }

    /// Reads a whole record with its end into `bytes`. Returns `false` at the end of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader, and an error if the record is too long. The next call then
    /// skips the rest of the record.
    pub(super) fn poll<R>(
        &mut self,
        cx: &mut Context<'_>,
        reader: &mut R,
        kind: &str,
    ) -> Poll<io::Result<bool>>
    where
        R: AsyncBufRead + Unpin,
    {
        let most = self.limit.map_or(usize::MAX, RecordLimit::with_end);
        loop {
            let is_skipped = self.is_skipped;
            let bytes = &mut self.bytes;
            let mut is_too_long = false;
            let piece = ready!(poll_piece(cx, reader, self.end, |read| {
                is_too_long = !is_skipped && read.len() > most.saturating_sub(bytes.len());
                if !is_skipped && !is_too_long {
                    bytes.extend_from_slice(read);
                }
            }))?;
            if piece.is_last {
                self.is_skipped = false;
            }
            if is_too_long {
                self.is_skipped = !piece.is_last;
                self.bytes = Vec::new();
                return Poll::Ready(self.check(usize::MAX, kind).map(|()| false));
            }
            let has_ended = piece.len == 0;
            if piece.is_last && (!is_skipped || has_ended) {
                return Poll::Ready(Ok(!self.bytes.is_empty()));
            }
        }
    }

    /// # Errors
    ///
    /// Returns an error if `len` is above the limit.
    pub(super) fn check(&self, len: usize, kind: &str) -> io::Result<()> {
        match self.limit {
            Some(RecordLimit { bytes, .. }) if len > bytes => Err(too_long(kind, bytes)),
            _ => Ok(()),
        }
    }
}

impl RecordLimit {
    fn with_end(self) -> usize {
        self.bytes.saturating_add(self.end)
    }
}

#[cold]
fn too_long(kind: &str, bytes: usize) -> io::Error {
    let text = format!("a {kind} is longer than {bytes} bytes");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// The segments of a reader between the occurrences of a byte; see
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

    /// Sets the largest length of a segment in bytes, without the byte that ends it. The default is
    /// no limit. Without a limit, a peer that never sends that byte uses memory without bound.
    #[must_use]
    pub fn max_length(mut self, bytes: usize) -> Self {
        self.record.set_limit(bytes, 1);
        self
    }

    /// Waits for the next segment, without the byte that ends it. `None` means the end of the
    /// stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader. The next call then continues with the segment.
    ///
    /// Returns [`InvalidData`](io::ErrorKind::InvalidData) if a segment is too long. The segment is
    /// then skipped: the next call returns the segment after it.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: the received part of a segment is stored, and the next call continues with it.
    pub fn next_segment(&mut self) -> NextSegment<'_, R>
    where
        R: AsyncBufRead + Unpin,
    {
        NextSegment { split: self }
    }

    /// Polls for the operation of [`next_segment`](Self::next_segment). The waker of the last
    /// caller is stored.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`next_segment`](Self::next_segment).
    pub fn poll_next_segment(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Vec<u8>>>>
    where
        R: AsyncBufRead + Unpin,
    {
        if !ready!(self.record.poll(cx, &mut self.reader, "piece"))? {
            return Poll::Ready(Ok(None));
        }
        let mut segment = mem::take(&mut self.record.bytes);
        let end = self.record.end;
        segment.pop_if(|last| *last == end);
        if let Err(error) = self.record.check(segment.len(), "piece") {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(Some(segment)))
    }

    /// Returns the reader. The received part of a segment is lost.
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
