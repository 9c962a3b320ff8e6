//! Futures that read from a connection.

use std::future::Future;
use std::io::{self, IoSliceMut};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::register;

use crate::driver::{Direction, ReadinessWait};
use crate::net::socket::Transport;
use crate::net::tcp::TcpStream;
use crate::task::poll_spent;

/// The future of `read` on a connection or a half of one; see [`TcpStream::read`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Read<'a, S = TcpStream> {
    waiting: ReadinessWait,
    pub(super) stream: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Transport> Read<'a, S> {
    pub(in crate::net) fn new(stream: &'a S, buf: &'a mut [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Read),
            stream,
            buf,
        }
    }
}

impl<S: Transport> Future for Read<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.stream.poll_read_in(cx, &mut this.waiting, this.buf)
    }
}

/// The future of `read_exact` on a connection or a half of one; see [`TcpStream::read_exact`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ReadExact<'a, S = TcpStream> {
    waiting: ReadinessWait,
    filled: usize,
    pub(super) stream: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Transport> ReadExact<'a, S> {
    pub(in crate::net) fn new(stream: &'a S, buf: &'a mut [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Read),
            filled: 0,
            stream,
            buf,
        }
    }
}

impl<S: Transport> Future for ReadExact<'_, S> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if this.buf.is_empty() {
            return poll_spent(cx).map(Ok);
        }
        while this.filled < this.buf.len() {
            let rest = &mut this.buf[this.filled..];
            let polled = this.stream.poll_read_in(cx, &mut this.waiting, rest);
            match ready!(polled)? {
                0 => return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
                read => this.filled += read,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The future of `read_vectored` on a connection or a half of one; see
/// [`TcpStream::read_vectored`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ReadVectored<'a, 'b, S = TcpStream> {
    waiting: ReadinessWait,
    pub(super) stream: &'a S,
    bufs: &'a mut [IoSliceMut<'b>],
}

impl<'a, 'b, S: Transport> ReadVectored<'a, 'b, S> {
    pub(in crate::net) fn new(stream: &'a S, bufs: &'a mut [IoSliceMut<'b>]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Read),
            stream,
            bufs,
        }
    }
}

impl<S: Transport> Future for ReadVectored<'_, '_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let (stream, waiting) = (this.stream, &mut this.waiting);
        stream.poll_read_vectored_in(cx, waiting, this.bufs)
    }
}

impl TcpStream {
    /// Reads into the buffer without removing the bytes from the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`poll_read`](Self::poll_read).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn peek<'a>(&'a self, buf: &'a mut [u8]) -> Peek<'a> {
        Peek::new(self, buf)
    }
}

/// The future of [`TcpStream::peek`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Peek<'a> {
    waiting: ReadinessWait,
    pub(super) stream: &'a TcpStream,
    buf: &'a mut [u8],
}

impl<'a> Peek<'a> {
    pub(in crate::net) fn new(stream: &'a TcpStream, buf: &'a mut [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Read),
            stream,
            buf,
        }
    }
}

impl Future for Peek<'_> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let peek = |stream: &mio::net::TcpStream| stream.peek(this.buf);
        this.stream.io.poll_io_in(cx, &mut this.waiting, peek)
    }
}
