//! Futures that write to a connection.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::register;

use crate::driver::{Direction, ReadinessWait};
use crate::net::socket::Transport;
use crate::net::tcp::TcpStream;
use crate::task::poll_spent;

/// The future of `write` on a connection or a half of one; see [`TcpStream::write`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Write<'a, S = TcpStream> {
    waiting: ReadinessWait,
    pub(super) stream: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Transport> Write<'a, S> {
    pub(in crate::net) fn new(stream: &'a S, buf: &'a [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Write),
            stream,
            buf,
        }
    }
}

impl<S: Transport> Future for Write<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.stream.poll_write_in(cx, &mut this.waiting, this.buf)
    }
}

/// The future of `write_all` on a connection or a half of one; see [`TcpStream::write_all`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct WriteAll<'a, S = TcpStream> {
    waiting: ReadinessWait,
    written: usize,
    pub(super) stream: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Transport> WriteAll<'a, S> {
    pub(in crate::net) fn new(stream: &'a S, buf: &'a [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Write),
            written: 0,
            stream,
            buf,
        }
    }
}

impl<S: Transport> Future for WriteAll<'_, S> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if this.buf.is_empty() {
            return poll_spent(cx).map(Ok);
        }
        while this.written < this.buf.len() {
            let rest = &this.buf[this.written..];
            let polled = this.stream.poll_write_in(cx, &mut this.waiting, rest);
            match ready!(polled)? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => this.written += written,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The future of `write_vectored` on a connection or a half of one; see
/// [`TcpStream::write_vectored`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct WriteVectored<'a, 'b, S = TcpStream> {
    waiting: ReadinessWait,
    pub(super) stream: &'a S,
    bufs: &'a [IoSlice<'b>],
}

impl<'a, 'b, S: Transport> WriteVectored<'a, 'b, S> {
    pub(in crate::net) fn new(stream: &'a S, bufs: &'a [IoSlice<'b>]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Write),
            stream,
            bufs,
        }
    }
}

impl<S: Transport> Future for WriteVectored<'_, '_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let (stream, waiting) = (this.stream, &mut this.waiting);
        stream.poll_write_vectored_in(cx, waiting, this.bufs)
    }
}
