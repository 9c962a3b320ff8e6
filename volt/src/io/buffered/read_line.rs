//! `ReadLine`: the future that reads a line.

use std::io;
use std::task::{Context, Poll, ready};

use futures_io::AsyncBufRead;

use super::read_until::poll_piece;
use crate::io::future_macro::io_future;
use crate::io::utf8::Utf8Appender;

io_future! {
    /// The future of
    /// [`AsyncBufReadExt::read_line`](super::buf_read_ext::AsyncBufReadExt::read_line).
    ReadLine on AsyncBufRead [buf: &'a mut String] state [Utf8Appender] -> io::Result<usize>,
    |cx, reader, text| poll_line(cx, reader, buf, text)
}

fn poll_line<R>(
    cx: &mut Context<'_>,
    reader: &mut R,
    buf: &mut String,
    text: &mut Utf8Appender,
) -> Poll<io::Result<usize>>
where
    R: AsyncBufRead + Unpin + ?Sized,
{
    loop {
        let polled = poll_piece(cx, reader, b'\n', |bytes| text.append(buf, bytes));
        if ready!(polled)?.is_last {
            return Poll::Ready(text.finish(buf));
        }
    }
}
