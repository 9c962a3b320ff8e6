//! The future that reads a line.

use std::io;
use std::mem;
use std::str;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;

use super::read_until::poll_piece;
use crate::io::lending::lending_future;
use crate::io::reading::not_text;

lending_future! {
    /// The future of [`AsyncBufReadExt::read_line`](super::buf_read_ext::AsyncBufReadExt::read_line).
    ReadLine on AsyncBufRead [buf: &'a mut String] keeps [Vec<u8>] gives io::Result<usize>,
    |cx, reader, begun| poll_line(cx, reader, buf, begun)
}

/// Reads a line. What was read of one that does not stand in the reader's buffer whole is in `begun`.
fn poll_line<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    buf: &mut String,
    begun: &mut Vec<u8>,
) -> Poll<io::Result<usize>>
where
    R: AsyncBufRead + Unpin + ?Sized,
{
    let mut whole = None;
    loop {
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

/// Appends what is text, and says how much it is.
fn append(buf: &mut String, bytes: &[u8]) -> io::Result<usize> {
    buf.push_str(str::from_utf8(bytes).map_err(|_| not_text())?);
    Ok(bytes.len())
}
