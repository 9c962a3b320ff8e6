//! The futures of sockets that carry datagrams.

use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::udp::UdpSocket;
use crate::driver::{Direction, Waiting};
use crate::io::Watched;
use crate::machine::{Evaluated, Leaf, LeafCall};

/// A socket that carries datagrams.
///
/// It cannot be named outside of this module, and so nobody else implements it.
#[expect(private_interfaces, reason = "nobody else calls or implements it")]
pub trait Datagrams {
    /// What the system knows it by.
    type Descriptor: mio::event::Source;
    /// Where a datagram comes from.
    type Source;
    /// Where one is sent to.
    type Target;

    fn io(&self) -> &Watched<Self::Descriptor>;
    fn recv(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<usize>;
    fn recv_from(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<(usize, Self::Source)>;
    fn send(socket: &Self::Descriptor, buf: &[u8]) -> io::Result<usize>;
    fn send_to(socket: &Self::Descriptor, buf: &[u8], target: &Self::Target) -> io::Result<usize>;
}

/// The future of `recv` on a socket; see [`UdpSocket::recv`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Recv<'a, S = UdpSocket> {
    call: RecvCall<S>,
    socket: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Datagrams> Recv<'a, S> {
    pub(super) fn new(socket: &'a S, buf: &'a mut [u8]) -> Self {
        let call = RecvCall {
            waiting: Waiting::new(Direction::Read),
            of: PhantomData,
        };
        Self { call, socket, buf }
    }

    #[doc(hidden)]
    pub fn into_machine(self) -> Leaf<RecvCall<S>> {
        Leaf::new(self.call)
    }
}

impl<S: Datagrams> Future for Recv<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.socket, this.buf))
    }
}

/// What is left of a [`Recv`] without what it is lent.
#[derive(Debug)]
pub struct RecvCall<S> {
    waiting: Waiting,
    of: PhantomData<fn(&S)>,
}

impl<S: Datagrams> LeafCall for RecvCall<S> {
    type Lent<'a>
        = (&'a S, &'a mut [u8])
    where
        Self: 'a;
    type Output = io::Result<usize>;

    fn poll(&mut self, cx: &mut Context<'_>, (socket, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        let recv = |socket: &S::Descriptor| S::recv(socket, buf);
        socket.io().poll_io_in(cx, &mut self.waiting, recv)
    }
}

/// The future of `recv_from` on a socket; see [`UdpSocket::recv_from`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct RecvFrom<'a, S = UdpSocket> {
    call: RecvFromCall<S>,
    socket: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Datagrams> RecvFrom<'a, S> {
    pub(super) fn new(socket: &'a S, buf: &'a mut [u8]) -> Self {
        let call = RecvFromCall {
            waiting: Waiting::new(Direction::Read),
            of: PhantomData,
        };
        Self { call, socket, buf }
    }

    #[doc(hidden)]
    pub fn into_machine(self) -> Leaf<RecvFromCall<S>> {
        Leaf::new(self.call)
    }
}

impl<S: Datagrams> Future for RecvFrom<'_, S> {
    type Output = io::Result<(usize, S::Source)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.socket, this.buf))
    }
}

/// What is left of a [`RecvFrom`] without what it is lent.
#[derive(Debug)]
pub struct RecvFromCall<S> {
    waiting: Waiting,
    of: PhantomData<fn(&S)>,
}

impl<S: Datagrams> LeafCall for RecvFromCall<S> {
    type Lent<'a>
        = (&'a S, &'a mut [u8])
    where
        Self: 'a;
    type Output = io::Result<(usize, S::Source)>;

    fn poll(&mut self, cx: &mut Context<'_>, (socket, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        let recv = |socket: &S::Descriptor| S::recv_from(socket, buf);
        socket.io().poll_io_in(cx, &mut self.waiting, recv)
    }
}

/// The future of `send` on a socket; see [`UdpSocket::send`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct SendConnected<'a, S = UdpSocket> {
    call: SendConnectedCall<S>,
    socket: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Datagrams> SendConnected<'a, S> {
    pub(super) fn new(socket: &'a S, buf: &'a [u8]) -> Self {
        let call = SendConnectedCall {
            waiting: Waiting::new(Direction::Write),
            of: PhantomData,
        };
        Self { call, socket, buf }
    }

    #[doc(hidden)]
    pub fn into_machine(self) -> Leaf<SendConnectedCall<S>> {
        Leaf::new(self.call)
    }
}

impl<S: Datagrams> Future for SendConnected<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.socket, this.buf))
    }
}

/// What is left of a [`SendConnected`] without what it is lent.
#[derive(Debug)]
pub struct SendConnectedCall<S> {
    waiting: Waiting,
    of: PhantomData<fn(&S)>,
}

impl<S: Datagrams> LeafCall for SendConnectedCall<S> {
    type Lent<'a>
        = (&'a S, &'a [u8])
    where
        Self: 'a;
    type Output = io::Result<usize>;

    fn poll(&mut self, cx: &mut Context<'_>, (socket, buf): Self::Lent<'_>) -> Poll<Self::Output> {
        let send = |socket: &S::Descriptor| S::send(socket, buf);
        socket.io().poll_io_in(cx, &mut self.waiting, send)
    }
}

impl UdpSocket {
    /// Sends a datagram to an address.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it was ready, nothing was sent.
    pub fn send_to<'a>(&'a self, buf: &'a [u8], target: SocketAddr) -> SendTo<'a> {
        SendTo::new(self, buf, target)
    }
}

/// The future of `send_to` on a socket; see [`UdpSocket::send_to`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct SendTo<'a, S = UdpSocket, T = SocketAddr> {
    call: SendToCall<S, T>,
    socket: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Datagrams> SendTo<'a, S, S::Target> {
    pub(super) fn new(socket: &'a S, buf: &'a [u8], target: S::Target) -> Self {
        let call = SendToCall {
            waiting: Waiting::new(Direction::Write),
            target,
            of: PhantomData,
        };
        Self { call, socket, buf }
    }

    #[doc(hidden)]
    pub fn into_machine(self) -> Leaf<SendToCall<S, S::Target>>
    where
        S::Target: Unpin,
    {
        Leaf::new(self.call)
    }
}

impl<S> Future for SendTo<'_, S, S::Target>
where
    S: Datagrams<Target: Unpin>,
{
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.call.poll(cx, (this.socket, this.buf, Evaluated))
    }
}

/// What is left of a [`SendTo`] without what it is lent.
#[derive(Debug)]
pub struct SendToCall<S, T> {
    waiting: Waiting,
    target: T,
    of: PhantomData<fn(&S)>,
}

impl<S> LeafCall for SendToCall<S, S::Target>
where
    S: Datagrams<Target: Unpin>,
{
    type Lent<'a>
        = (&'a S, &'a [u8], Evaluated)
    where
        Self: 'a;
    type Output = io::Result<usize>;

    fn poll(
        &mut self,
        cx: &mut Context<'_>,
        (socket, buf, Evaluated): Self::Lent<'_>,
    ) -> Poll<Self::Output> {
        let Self {
            waiting, target, ..
        } = self;
        let send = |socket: &S::Descriptor| S::send_to(socket, buf, target);
        socket.io().poll_io_in(cx, waiting, send)
    }
}
