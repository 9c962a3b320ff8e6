//! The futures that read a stream.

use std::future::Future;
use std::io::{self, Read as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::stream::TcpStream;
use crate::driver::{Direction, Waiting};

impl TcpStream {
    /// Reads into the buffer and returns how many bytes came; zero is the end of the stream.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no byte.
    pub fn read<'a>(&'a self, buf: &'a mut [u8]) -> Read<'a> {
        Read {
            waiting: self.io.waiting(Direction::Read),
            stream: self,
            buf,
        }
    }

    /// Fills the buffer.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read), and with [`io::ErrorKind::UnexpectedEof`] when the
    /// stream ends first.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** what was read so far stays in the buffer, and how much it was is lost
    /// with the future.
    pub fn read_exact<'a>(&'a self, buf: &'a mut [u8]) -> ReadExact<'a> {
        ReadExact {
            waiting: self.io.waiting(Direction::Read),
            stream: self,
            buf,
            filled: 0,
        }
    }

    /// Reads into the buffer what stays in the stream for the next read.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn peek<'a>(&'a self, buf: &'a mut [u8]) -> Peek<'a> {
        Peek {
            waiting: self.io.waiting(Direction::Read),
            stream: self,
            buf,
        }
    }

    fn poll_read_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut Waiting<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.io
            .poll_transfer_in(cx, waiting, buf.len(), |mut stream| stream.read(buf))
    }
}

/// The future of [`TcpStream::read`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Read<'a> {
    stream: &'a TcpStream,
    waiting: Waiting<'a>,
    buf: &'a mut [u8],
}

impl Future for Read<'_> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.stream.poll_read_in(cx, &mut this.waiting, this.buf)
    }
}

/// The future of [`TcpStream::read_exact`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ReadExact<'a> {
    stream: &'a TcpStream,
    waiting: Waiting<'a>,
    buf: &'a mut [u8],
    filled: usize,
}

impl Future for ReadExact<'_> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        while this.filled < this.buf.len() {
            let rest = &mut this.buf[this.filled..];
            match ready!(this.stream.poll_read_in(cx, &mut this.waiting, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
                read => this.filled += read,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The future of [`TcpStream::peek`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Peek<'a> {
    stream: &'a TcpStream,
    waiting: Waiting<'a>,
    buf: &'a mut [u8],
}

impl Future for Peek<'_> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.stream
            .io
            .poll_io_in(cx, &mut this.waiting, |stream| stream.peek(this.buf))
    }
}
