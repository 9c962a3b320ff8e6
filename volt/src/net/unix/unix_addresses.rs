//! Sockets of the Unix domain by their addresses.

use std::future::Future;
use std::io;
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};

use super::unix_connect::UnixConnecting;
use super::unix_datagram::{UnixDatagram, send_to};
use super::unix_listener::UnixListener;
use super::unix_names;
use super::unix_stream::UnixStream;
use crate::driver::{Direction, Registration};
use crate::io::{HasRegistration, PollEvented, Readable, Writable};
use crate::net::datagram::SendTo;
use crate::runtime::context;

impl UnixListener {
    /// Listens at the address.
    ///
    /// An abstract address of Linux, which is no path and is gone with its listener, is made by
    /// `std::os::linux::net::SocketAddrExt`.
    ///
    /// # Errors
    ///
    /// Fails as the system's `bind` does.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn bind_addr(address: &SocketAddr) -> io::Result<Self> {
        let driver = context::driver();
        let io = PollEvented::new(driver, mio::net::UnixListener::bind_addr(address)?)?;
        Ok(Self { io })
    }
}

impl UnixStream {
    /// Connects to the socket that listens at the address, which may be an abstract one of Linux.
    /// The system is called in this call.
    ///
    /// # Errors
    ///
    /// Fails as the system's `connect` does.
    ///
    /// # Panics
    ///
    /// The future panics when it is polled on a thread that is in no runtime.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the connection it was making.
    #[track_caller]
    pub fn connect_addr(address: &SocketAddr) -> UnixConnectAddr {
        UnixConnectAddr {
            connecting: UnixConnecting::started(mio::net::UnixStream::connect_addr(address)),
        }
    }
}

/// The future of [`UnixStream::connect_addr`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct UnixConnectAddr {
    connecting: UnixConnecting,
}

impl Future for UnixConnectAddr {
    type Output = io::Result<UnixStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.connecting.poll(cx)
    }
}

impl UnixDatagram {
    /// Takes the address, which may be an abstract one of Linux.
    ///
    /// # Errors
    ///
    /// Fails as the system's `bind` does.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn bind_addr(address: &SocketAddr) -> io::Result<Self> {
        Self::from_std(std::os::unix::net::UnixDatagram::bind_addr(address)?)
    }

    /// Sets the peer that [`send`](Self::send) sends to.
    ///
    /// # Errors
    ///
    /// Fails as the system's `connect` does.
    pub fn connect_addr(&self, address: &SocketAddr) -> io::Result<()> {
        self.connect(unix_names::path(address))
    }

    /// Sends a datagram to an address, which may be an abstract one of Linux.
    ///
    /// # Errors
    ///
    /// As [`send_to`](Self::send_to).
    ///
    /// # Cancel safety
    ///
    /// As [`send_to`](Self::send_to).
    pub fn send_to_addr<'a>(
        &'a self,
        buf: &'a [u8],
        address: &SocketAddr,
    ) -> SendTo<'a, Self, PathBuf> {
        SendTo::new(self, buf, unix_names::path(address), ())
    }

    /// Waits until a datagram may have come; only receiving tells whether one has.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Waits until a datagram may be sent; only sending tells whether it can.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn writable(&self) -> Writable<'_> {
        Writable::new(self)
    }

    /// Receives a datagram that has come already.
    ///
    /// # Errors
    ///
    /// As [`recv_from`](Self::recv_from), and with [`io::ErrorKind::WouldBlock`] when none has.
    pub fn try_recv_from(&self, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.io.try_io(Direction::Read, |it| it.recv_from(buf))
    }

    /// Sends a datagram if there is room for it now.
    ///
    /// # Errors
    ///
    /// As [`send_to`](Self::send_to), and with [`io::ErrorKind::WouldBlock`] when there is not.
    pub fn try_send_to<P>(&self, buf: &[u8], target: P) -> io::Result<usize>
    where
        P: AsRef<Path>,
    {
        let target = target.as_ref();
        self.io
            .try_io(Direction::Write, |it| send_to(it, buf, target))
    }
}

#[expect(private_interfaces, reason = "as the trait")]
impl HasRegistration for UnixDatagram {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}
