//! The futures that read a connection.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::stream::TcpStream;
use super::transport::Transport;
use crate::driver::{Direction, Waiting};

/// The future of `read` on a connection or a half of one; see [`TcpStream::read`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Read<'a, S = TcpStream> {
    stream: &'a S,
    waiting: Waiting<'a>,
    buf: &'a mut [u8],
}

impl<'a, S: Transport> Read<'a, S> {
    pub(super) fn new(stream: &'a S, buf: &'a mut [u8]) -> Self {
        Self {
            waiting: stream.waiting(Direction::Read),
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
    stream: &'a S,
    waiting: Waiting<'a>,
    buf: &'a mut [u8],
    filled: usize,
}

impl<'a, S: Transport> ReadExact<'a, S> {
    pub(super) fn new(stream: &'a S, buf: &'a mut [u8]) -> Self {
        Self {
            waiting: stream.waiting(Direction::Read),
            stream,
            buf,
            filled: 0,
        }
    }
}

impl<S: Transport> Future for ReadExact<'_, S> {
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

impl<'a> Peek<'a> {
    pub(super) fn new(stream: &'a TcpStream, buf: &'a mut [u8]) -> Self {
        Self {
            waiting: stream.waiting(Direction::Read),
            stream,
            buf,
        }
    }
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
