//! The futures that read a connection.

use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::stream::TcpStream;
use super::transport::{Carrier, Transport};
use crate::driver::{Direction, Waiting};
use crate::machine::{Leaf, LeafCall};

/// The future of `read` on a connection or a half of one; see [`TcpStream::read`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Read<'a, S = TcpStream> {
    call: ReadCall<S>,
    stream: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Transport> Read<'a, S> {
    pub(super) fn new(stream: &'a S, buf: &'a mut [u8]) -> Self {
        let call = ReadCall::new(Waiting::new(Direction::Read));
        Self { call, stream, buf }
    }

    #[doc(hidden)]
    pub fn into_machine<R: Carrier>(self) -> Leaf<ReadCall<R>> {
        Leaf::new(ReadCall::new(self.call.waiting))
    }
}

impl<S: Transport> Future for Read<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.stream, this.buf))
    }
}

/// What is left of a [`Read`] without what it is lent.
#[derive(Debug)]
pub struct ReadCall<R> {
    waiting: Waiting,
    of: PhantomData<fn(&R)>,
}

impl<R> ReadCall<R> {
    fn new(waiting: Waiting) -> Self {
        let of = PhantomData;
        Self { waiting, of }
    }
}

impl<R: Carrier> LeafCall for ReadCall<R> {
    type Lent<'a>
        = (&'a R, &'a mut [u8])
    where
        Self: 'a;
    type Output = io::Result<usize>;

    fn poll(&mut self, cx: &mut Context<'_>, (carrier, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        carrier.stream().poll_read_in(cx, &mut self.waiting, buf)
    }
}

/// The future of `read_exact` on a connection or a half of one; see [`TcpStream::read_exact`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ReadExact<'a, S = TcpStream> {
    call: ReadExactCall<S>,
    stream: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Transport> ReadExact<'a, S> {
    pub(super) fn new(stream: &'a S, buf: &'a mut [u8]) -> Self {
        let call = ReadExactCall::new(Waiting::new(Direction::Read));
        Self { call, stream, buf }
    }

    #[doc(hidden)]
    pub fn into_machine<R: Carrier>(self) -> Leaf<ReadExactCall<R>> {
        Leaf::new(ReadExactCall::new(self.call.waiting))
    }
}

impl<S: Transport> Future for ReadExact<'_, S> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.stream, this.buf))
    }
}

/// What is left of a [`ReadExact`] without what it is lent.
#[derive(Debug)]
pub struct ReadExactCall<R> {
    waiting: Waiting,
    filled: usize,
    of: PhantomData<fn(&R)>,
}

impl<R> ReadExactCall<R> {
    fn new(waiting: Waiting) -> Self {
        Self {
            waiting,
            filled: 0,
            of: PhantomData,
        }
    }
}

impl<R: Carrier> LeafCall for ReadExactCall<R> {
    type Lent<'a>
        = (&'a R, &'a mut [u8])
    where
        Self: 'a;
    type Output = io::Result<()>;

    fn poll(&mut self, cx: &mut Context<'_>, (carrier, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        while self.filled < buf.len() {
            let rest = &mut buf[self.filled..];
            let polled = carrier.stream().poll_read_in(cx, &mut self.waiting, rest);
            match ready!(polled)? {
                0 => return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
                read => self.filled += read,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl TcpStream {
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
        Peek::new(self, buf)
    }
}

/// The future of [`TcpStream::peek`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Peek<'a> {
    call: PeekCall,
    stream: &'a TcpStream,
    buf: &'a mut [u8],
}

impl<'a> Peek<'a> {
    pub(super) fn new(stream: &'a TcpStream, buf: &'a mut [u8]) -> Self {
        let call = PeekCall(Waiting::new(Direction::Read));
        Self { call, stream, buf }
    }

    #[doc(hidden)]
    pub fn into_machine(self) -> Leaf<PeekCall> {
        Leaf::new(self.call)
    }
}

impl Future for Peek<'_> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.stream, this.buf))
    }
}

/// What is left of a [`Peek`] without what it is lent.
#[derive(Debug)]
pub struct PeekCall(Waiting);

impl LeafCall for PeekCall {
    type Lent<'a>
        = (&'a TcpStream, &'a mut [u8])
    where
        Self: 'a;
    type Output = io::Result<usize>;

    fn poll(&mut self, cx: &mut Context<'_>, (stream, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        let peek = |stream: &mio::net::TcpStream| stream.peek(buf);
        stream.io.poll_io_in(cx, &mut self.0, peek)
    }
}
