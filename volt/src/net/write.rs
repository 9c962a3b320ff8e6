//! The futures that write a connection.

use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::stream::TcpStream;
use super::transport::{Carrier, Transport};
use crate::driver::{Direction, Waiting};
use crate::machine::{Leaf, LeafCall};

/// The future of `write` on a connection or a half of one; see [`TcpStream::write`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Write<'a, S = TcpStream> {
    call: WriteCall<S>,
    stream: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Transport> Write<'a, S> {
    pub(super) fn new(stream: &'a S, buf: &'a [u8]) -> Self {
        let call = WriteCall::new(Waiting::new(Direction::Write));
        Self { call, stream, buf }
    }

    #[doc(hidden)]
    pub fn into_machine<W: Carrier>(self) -> Leaf<WriteCall<W>> {
        Leaf::new(WriteCall::new(self.call.waiting))
    }
}

impl<S: Transport> Future for Write<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.stream, this.buf))
    }
}

/// What is left of a [`Write`] without what it is lent.
#[derive(Debug)]
pub struct WriteCall<W> {
    waiting: Waiting,
    of: PhantomData<fn(&W)>,
}

impl<W> WriteCall<W> {
    fn new(waiting: Waiting) -> Self {
        let of = PhantomData;
        Self { waiting, of }
    }
}

impl<W: Carrier> LeafCall for WriteCall<W> {
    type Lent<'a>
        = (&'a W, &'a [u8])
    where
        Self: 'a;
    type Output = io::Result<usize>;

    fn poll(&mut self, cx: &mut Context<'_>, (carrier, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        carrier.stream().poll_write_in(cx, &mut self.waiting, buf)
    }
}

/// The future of `write_all` on a connection or a half of one; see [`TcpStream::write_all`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct WriteAll<'a, S = TcpStream> {
    call: WriteAllCall<S>,
    stream: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Transport> WriteAll<'a, S> {
    pub(super) fn new(stream: &'a S, buf: &'a [u8]) -> Self {
        let call = WriteAllCall::new(Waiting::new(Direction::Write));
        Self { call, stream, buf }
    }

    #[doc(hidden)]
    pub fn into_machine<W: Carrier>(self) -> Leaf<WriteAllCall<W>> {
        Leaf::new(WriteAllCall::new(self.call.waiting))
    }
}

impl<S: Transport> Future for WriteAll<'_, S> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.stream, this.buf))
    }
}

/// What is left of a [`WriteAll`] without what it is lent.
#[derive(Debug)]
pub struct WriteAllCall<W> {
    waiting: Waiting,
    written: usize,
    of: PhantomData<fn(&W)>,
}

impl<W> WriteAllCall<W> {
    fn new(waiting: Waiting) -> Self {
        Self {
            waiting,
            written: 0,
            of: PhantomData,
        }
    }
}

impl<W: Carrier> LeafCall for WriteAllCall<W> {
    type Lent<'a>
        = (&'a W, &'a [u8])
    where
        Self: 'a;
    type Output = io::Result<()>;

    fn poll(&mut self, cx: &mut Context<'_>, (carrier, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        while self.written < buf.len() {
            let rest = &buf[self.written..];
            let polled = carrier.stream().poll_write_in(cx, &mut self.waiting, rest);
            match ready!(polled)? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.written += written,
            }
        }
        Poll::Ready(Ok(()))
    }
}
