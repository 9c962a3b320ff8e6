//! Futures that read until a buffer is full or the stream ends.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncRead;

use crate::io::future_macro::io_future;
use crate::io::growable::SpareCapacity;
use crate::io::utf8::Utf8Appender;
use crate::task::{poll_leaf, poll_spent};

/// The largest number of bytes of one read. As many bytes are zeroed before the first read of a
/// poll.
const MAX_READ: usize = 32 * 1024;

/// The number of bytes that are read to find the end of the stream when the vector is full.
const PROBE: usize = 32;

io_future! {
    /// The future of [`AsyncReadExt::read_exact`](super::read_ext::AsyncReadExt::read_exact).
    ReadExact on AsyncRead [buf: &'a mut [u8]] state [usize] -> io::Result<()>,
    |cx, reader, filled| poll_fill(cx, reader, buf, filled)
}

/// Fills the rest of the buffer, of which `filled` bytes are filled.
pub(super) fn poll_fill<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    buf: &mut [u8],
    filled: &mut usize,
) -> Poll<io::Result<()>>
where
    R: AsyncRead + Unpin + ?Sized,
{
    if buf.is_empty() {
        return poll_spent(cx).map(Ok);
    }
    while *filled < buf.len() {
        let rest = &mut buf[*filled..];
        match ready!(poll_leaf(cx, |cx| Pin::new(&mut *reader).poll_read(cx, rest)))? {
            0 => return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
            read => *filled += read,
        }
    }
    Poll::Ready(Ok(()))
}

io_future! {
    /// The future of [`AsyncReadExt::read_to_end`](super::read_ext::AsyncReadExt::read_to_end).
    ReadToEnd on AsyncRead [buf: &'a mut Vec<u8>] state [usize] -> io::Result<usize>,
    |cx, reader, count| poll_to_end(cx, reader, buf, count).map_ok(|()| *count)
}

/// Reads to the end of the stream, and counts the bytes.
fn poll_to_end<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    buf: &mut Vec<u8>,
    count: &mut usize,
) -> Poll<io::Result<()>>
where
    R: AsyncRead + Unpin + ?Sized,
{
    let mut spare = SpareCapacity::of(buf);
    loop {
        let polled = poll_leaf(cx, |cx| {
            if spare.is_full() {
                poll_probe(cx, reader, &mut spare)
            } else {
                spare.poll_read(cx, reader, MAX_READ)
            }
        });
        let read = ready!(polled)?;
        if read == 0 {
            return Poll::Ready(Ok(()));
        }
        *count += read;
    }
}

/// Reads a few bytes into a separate buffer. The full vector grows only if bytes arrive.
fn poll_probe<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    spare: &mut SpareCapacity<'_, Vec<u8>>,
) -> Poll<io::Result<usize>>
where
    R: AsyncRead + Unpin + ?Sized,
{
    let mut probe = [0; PROBE];
    let read = ready!(Pin::new(reader).poll_read(cx, &mut probe))?.min(PROBE);
    if read > 0 {
        spare.grow_if_full();
        spare.append(&probe[..read]);
    }
    Poll::Ready(Ok(read))
}

io_future! {
    /// The future of
    /// [`AsyncReadExt::read_to_string`](super::read_ext::AsyncReadExt::read_to_string).
    ReadToString on AsyncRead [buf: &'a mut String] state [Utf8Appender] -> io::Result<usize>,
    |cx, reader, text| poll_to_string(cx, reader, buf, text)
}

fn poll_to_string<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    buf: &mut String,
    text: &mut Utf8Appender,
) -> Poll<io::Result<usize>>
where
    R: AsyncRead + Unpin + ?Sized,
{
    let polled = poll_to_end(cx, reader, &mut text.pending, &mut 0);
    // Text that has arrived belongs to the string, also if the future fails or is dropped.
    text.append_pending(buf);
    ready!(polled)?;
    Poll::Ready(text.finish(buf))
}
