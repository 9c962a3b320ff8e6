//! The future that reads a line.

use std::io;
use std::marker::PhantomData;
use std::mem;
use std::str;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;

use super::read_until::poll_piece;
use crate::io::lending::lending_future;
use crate::io::reading::not_text;

lending_future! {
    /// The future of [`AsyncBufReadExt::read_line`](super::buf_read_ext::AsyncBufReadExt::read_line).
    ReadLine, ReadLineCall on AsyncBufRead [buf: &'a mut String] gives io::Result<usize>
}

/// What is left of a [`ReadLine`] without what it is lent.
pub struct ReadLineCall<R: ?Sized> {
    /// What was read of a line that did not stand in the reader's buffer whole.
    begun: Vec<u8>,
    of: PhantomData<fn(&R)>,
}

impl<R: AsyncBufRead + Unpin + ?Sized> ReadLineCall<R> {
    fn new() -> Self {
        let (begun, of) = (Vec::new(), PhantomData);
        Self { begun, of }
    }

    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        reader: &mut R,
        buf: &mut String,
    ) -> Poll<io::Result<usize>> {
        let mut whole = None;
        loop {
            let begun = &mut self.begun;
            let (_, is_over) = ready!(poll_piece(cx, reader, b'\n', |piece| {
                if begun.is_empty() && piece.ends_with(b"\n") {
                    whole = Some(append(buf, piece));
                } else {
                    begun.extend_from_slice(piece);
                }
                Ok(())
            }))?;
            if is_over {
                let appended = whole.unwrap_or_else(|| append(buf, &mem::take(begun)));
                return Poll::Ready(appended);
            }
        }
    }
}

/// Appends what is text, and says how much it is.
fn append(buf: &mut String, bytes: &[u8]) -> io::Result<usize> {
    buf.push_str(str::from_utf8(bytes).map_err(|_| not_text())?);
    Ok(bytes.len())
}
