//! What a UDP socket does in futures.

use std::io;
use std::net::SocketAddr;

use super::datagram::{Datagrams, Recv, RecvFrom, SendConnected, SendTo};
use super::udp::UdpSocket;
use crate::driver::Registration;
use crate::io::{Registers, Watched};

impl UdpSocket {
    /// Receives a datagram from the peer it is connected to, and returns its length. What does
    /// not fit into the buffer is lost.
    ///
    /// # Errors
    ///
    /// Fails as the system's `recv` does, or when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no datagram.
    pub fn recv<'a>(&'a self, buf: &'a mut [u8]) -> Recv<'a> {
        Recv::new(self, buf)
    }

    /// Receives a datagram, and returns its length and its sender. What does not fit into the
    /// buffer is lost.
    ///
    /// # Errors
    ///
    /// As [`recv`](Self::recv).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no datagram.
    pub fn recv_from<'a>(&'a self, buf: &'a mut [u8]) -> RecvFrom<'a> {
        RecvFrom::new(self, buf)
    }

    /// Sends a datagram to the peer it is connected to.
    ///
    /// # Errors
    ///
    /// Fails as the system's `send` does, or when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it was ready, nothing was sent.
    pub fn send<'a>(&'a self, buf: &'a [u8]) -> SendConnected<'a> {
        SendConnected::new(self, buf)
    }

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

#[expect(private_interfaces, reason = "as the trait")]
impl Registers for UdpSocket {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}

#[expect(private_interfaces, reason = "as the trait")]
impl Datagrams for UdpSocket {
    type Descriptor = mio::net::UdpSocket;
    type Source = SocketAddr;
    type Target = SocketAddr;

    fn io(&self) -> &Watched<Self::Descriptor> {
        &self.io
    }

    fn recv(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<usize> {
        socket.recv(buf)
    }

    fn recv_from(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        socket.recv_from(buf)
    }

    fn send(socket: &Self::Descriptor, buf: &[u8]) -> io::Result<usize> {
        socket.send(buf)
    }

    fn send_to(socket: &Self::Descriptor, buf: &[u8], target: &SocketAddr) -> io::Result<usize> {
        socket.send_to(buf, *target)
    }
}
