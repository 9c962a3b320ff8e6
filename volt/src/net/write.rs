//! The futures that write a stream.

use std::future::Future;
use std::io::{self, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::stream::TcpStream;
use crate::driver::{Direction, Waiting};

impl TcpStream {
    /// Writes from the buffer and returns how many bytes went.
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write).
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it was ready, nothing was written.
    pub fn write<'a>(&'a self, buf: &'a [u8]) -> Write<'a> {
        Write {
            waiting: self.io.waiting(Direction::Write),
            stream: self,
            buf,
        }
    }

    /// Writes the whole buffer.
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write), and with [`io::ErrorKind::WriteZero`] when the
    /// system takes nothing.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** how much was written is lost with the future.
    pub fn write_all<'a>(&'a self, buf: &'a [u8]) -> WriteAll<'a> {
        WriteAll {
            waiting: self.io.waiting(Direction::Write),
            stream: self,
            rest: buf,
        }
    }

    fn poll_write_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut Waiting<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.io
            .poll_transfer_in(cx, waiting, buf.len(), |mut stream| stream.write(buf))
    }
}

/// The future of [`TcpStream::write`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Write<'a> {
    stream: &'a TcpStream,
    waiting: Waiting<'a>,
    buf: &'a [u8],
}

impl Future for Write<'_> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.stream.poll_write_in(cx, &mut this.waiting, this.buf)
    }
}

/// The future of [`TcpStream::write_all`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct WriteAll<'a> {
    stream: &'a TcpStream,
    waiting: Waiting<'a>,
    rest: &'a [u8],
}

impl Future for WriteAll<'_> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        while !this.rest.is_empty() {
            let polled = this.stream.poll_write_in(cx, &mut this.waiting, this.rest);
            match ready!(polled)? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => this.rest = &this.rest[written..],
            }
        }
        Poll::Ready(Ok(()))
    }
}
