//! The future that reads up to a byte.

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
            let (read, is_over) = ready!(poll_piece(cx, this.reader, this.end, |piece| {
                this.buf.extend_from_slice(piece);
            }))?;
            this.read += read;
            if is_over {
                return Poll::Ready(Ok(this.read));
            }
        }
    }
}

/// Takes what is in the buffer, up to the byte `end`, which is taken too, and hands it to `take`.
/// Returns its length, and `true` if it is the last piece: the byte was found, or the stream has
/// ended.
pub(super) fn poll_piece<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    end: u8,
    take: impl FnOnce(&[u8]),
) -> Poll<io::Result<(usize, bool)>>
where
    R: AsyncBufRead + Unpin + ?Sized,
{
    let pinned = Pin::new(&mut *reader);
    let filled = ready!(poll_leaf(cx, |cx| pinned.poll_fill_buf(cx)))?;
    let found = memchr(end, filled);
    let piece = found.map_or(filled, |at| &filled[..=at]);
    let (len, is_over) = (piece.len(), found.is_some() || piece.is_empty());
    take(piece);
    Pin::new(reader).consume(len);
    Poll::Ready(Ok((len, is_over)))
}

impl<R: ?Sized> fmt::Debug for ReadUntil<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadUntil")
            .field("end", &self.end)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}
