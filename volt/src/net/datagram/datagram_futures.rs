//! Futures of sockets for datagrams.

use std::fmt::Debug;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use volt_inspect::register;

use super::udp_socket::UdpSocket;
use crate::driver::{Direction, ReadinessWait};
use crate::io::PollEvented;

/// A socket for datagrams.
///
/// Other crates cannot name this trait, so they cannot implement it.
#[expect(
    private_interfaces,
    reason = "other crates neither call nor implement it"
)]
pub trait Datagrams {
    /// The socket of mio.
    type Descriptor: mio::event::Source;
    /// The address of a sender.
    type Source;
    /// The address of a receiver.
    type Target: Debug;

    fn io(&self) -> &PollEvented<Self::Descriptor>;

    /// Passes the address of the peer to `report`, or the local one if the socket has no peer.
    fn report_address(&self, report: &mut dyn FnMut(&dyn Debug));

    fn recv(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<usize>;
    fn recv_from(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<(usize, Self::Source)>;
    fn send(socket: &Self::Descriptor, buf: &[u8]) -> io::Result<usize>;
    fn send_to(socket: &Self::Descriptor, buf: &[u8], target: &Self::Target) -> io::Result<usize>;
}

/// The future of `recv` on a socket; see [`UdpSocket::recv`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Recv<'a, S = UdpSocket> {
    waiting: ReadinessWait,
    pub(super) socket: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Datagrams> Recv<'a, S> {
    pub(in crate::net) fn new(socket: &'a S, buf: &'a mut [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Read),
            socket,
            buf,
        }
    }
}

impl<S: Datagrams> Future for Recv<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let recv = |socket: &S::Descriptor| S::recv(socket, this.buf);
        this.socket.io().poll_io_in(cx, &mut this.waiting, recv)
    }
}

/// The future of `recv_from` on a socket; see [`UdpSocket::recv_from`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct RecvFrom<'a, S = UdpSocket> {
    waiting: ReadinessWait,
    pub(super) socket: &'a S,
    buf: &'a mut [u8],
}

impl<'a, S: Datagrams> RecvFrom<'a, S> {
    pub(in crate::net) fn new(socket: &'a S, buf: &'a mut [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Read),
            socket,
            buf,
        }
    }
}

impl<S: Datagrams> Future for RecvFrom<'_, S> {
    type Output = io::Result<(usize, S::Source)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let recv = |socket: &S::Descriptor| S::recv_from(socket, this.buf);
        this.socket.io().poll_io_in(cx, &mut this.waiting, recv)
    }
}

/// The future of `send` on a socket; see [`UdpSocket::send`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct SendConnected<'a, S = UdpSocket> {
    waiting: ReadinessWait,
    pub(super) socket: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Datagrams> SendConnected<'a, S> {
    pub(in crate::net) fn new(socket: &'a S, buf: &'a [u8]) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Write),
            socket,
            buf,
        }
    }
}

impl<S: Datagrams> Future for SendConnected<'_, S> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let send = |socket: &S::Descriptor| S::send(socket, this.buf);
        this.socket.io().poll_io_in(cx, &mut this.waiting, send)
    }
}

impl UdpSocket {
    /// Reads the next datagram without removing it from the queue, and returns its length and its
    /// sender. Bytes that do not fit into the buffer are left out.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`recv_from`](Self::recv_from).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn peek_from<'a>(&'a self, buf: &'a mut [u8]) -> PeekFrom<'a> {
        register::<PeekFrom<'a>>();
        PeekFrom {
            waiting: ReadinessWait::new(Direction::Read),
            socket: self,
            buf,
        }
    }

    /// Sends a datagram to an address.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`send`](Self::send).
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, nothing was sent.
    pub fn send_to<'a>(&'a self, buf: &'a [u8], target: SocketAddr) -> SendTo<'a> {
        SendTo::new(self, buf, target, ())
    }
}

/// The future of `send_to` on a socket; see [`UdpSocket::send_to`].
///
/// It owns the `P` from which the target was created.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct SendTo<'a, S = UdpSocket, T = SocketAddr, P = ()> {
    waiting: ReadinessWait,
    pub(super) target: T,
    /// A path that removes its socket on drop must exist until the datagram is sent.
    _owner: P,
    pub(super) socket: &'a S,
    buf: &'a [u8],
}

impl<'a, S: Datagrams, P> SendTo<'a, S, S::Target, P> {
    pub(in crate::net) fn new(socket: &'a S, buf: &'a [u8], target: S::Target, owner: P) -> Self {
        register::<Self>();
        Self {
            waiting: ReadinessWait::new(Direction::Write),
            target,
            _owner: owner,
            socket,
            buf,
        }
    }
}

// Target and owner are moved, never pinned.
impl<S, T, P> Unpin for SendTo<'_, S, T, P> {}

impl<S: Datagrams, P> Future for SendTo<'_, S, S::Target, P> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let send = |socket: &S::Descriptor| S::send_to(socket, this.buf, &this.target);
        this.socket.io().poll_io_in(cx, &mut this.waiting, send)
    }
}

/// The future of [`UdpSocket::peek_from`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct PeekFrom<'a> {
    waiting: ReadinessWait,
    pub(super) socket: &'a UdpSocket,
    buf: &'a mut [u8],
}

impl Future for PeekFrom<'_> {
    type Output = io::Result<(usize, SocketAddr)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let peek = |socket: &mio::net::UdpSocket| socket.peek_from(this.buf);
        this.socket.io.poll_io_in(cx, &mut this.waiting, peek)
    }
}
