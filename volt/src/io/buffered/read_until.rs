//! `ReadUntil`: the future that reads up to a byte.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;
use memchr::memchr;

use crate::task::poll_leaf;

/// The future of [`AsyncBufReadExt::read_until`](super::buf_read_ext::AsyncBufReadExt::read_until).
#[must_use = "futures do nothing unless polled"]
pub struct ReadUntil<'a, R: ?Sized> {
    reader: &'a mut R,
    end: u8,
    buf: &'a mut Vec<u8>,
    read: usize,
}

impl<'a, R: ?Sized> ReadUntil<'a, R> {
    pub(super) fn new(reader: &'a mut R, end: u8, buf: &'a mut Vec<u8>) -> Self {
        Self {
            reader,
            end,
            buf,
            read: 0,
        }
    }
}

impl<R: AsyncBufRead + Unpin + ?Sized> Future for ReadUntil<'_, R> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        loop {
            let piece = ready!(poll_piece(cx, this.reader, this.end, |bytes| {
                this.buf.extend_from_slice(bytes);
            }))?;
            this.read += piece.len;
            if piece.is_last {
                return Poll::Ready(Ok(this.read));
            }
        }
    }
}

/// A piece of the buffered bytes that was consumed.
pub(super) struct Piece {
    /// The number of its bytes. Zero means the end of the stream.
    pub(super) len: usize,
    /// `true` if the piece ends with the byte, or if the stream has ended.
    pub(super) is_last: bool,
}

/// Passes the buffered bytes up to and including the byte `end` to `take`, and consumes them.
pub(super) fn poll_piece<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    end: u8,
    take: impl FnOnce(&[u8]),
) -> Poll<io::Result<Piece>>
where
    R: AsyncBufRead + Unpin + ?Sized,
{
    let pinned = Pin::new(&mut *reader);
    let filled = ready!(poll_leaf(cx, |cx| pinned.poll_fill_buf(cx)))?;
    let found = memchr(end, filled);
    let piece = found.map_or(filled, |at| &filled[..=at]);
    let (len, is_last) = (piece.len(), found.is_some() || piece.is_empty());
    take(piece);
    Pin::new(reader).consume(len);
    Poll::Ready(Ok(Piece { len, is_last }))
}

impl<R: ?Sized> fmt::Debug for ReadUntil<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadUntil")
            .field("end", &self.end)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}
