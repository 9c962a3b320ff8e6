//! Methods of Unix sockets that take a `SocketAddr`.

use std::fmt::Debug;
use std::future::Future;
use std::io;
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};

use volt_inspect::{Inspect, Inspector, register, registrable};

use super::unix_connect::UnixConnecting;
use super::unix_datagram::{UnixDatagram, send_to};
use super::unix_listener::UnixListener;
use super::unix_names;
use super::unix_stream::UnixStream;
use crate::driver::{Direction, Registration};
use crate::io::{HasRegistration, PollEvented, Readable, Writable};
use crate::net::datagram::SendTo;
use crate::net::socket::SocketWait;
use crate::runtime::context;

impl UnixListener {
    /// Listens at the address.
    ///
    /// `std::os::linux::net::SocketAddrExt` creates abstract addresses, which are not paths and end
    /// with their listener.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `bind` fails.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn bind_addr(address: &SocketAddr) -> io::Result<Self> {
        let driver = context::driver();
        let io = PollEvented::socket(driver, mio::net::UnixListener::bind_addr(address)?)?;
        Ok(Self { io })
    }
}

impl UnixStream {
    /// Connects to the socket that listens at the address. On Linux the address can be abstract.
    /// The function itself calls the system, before the first poll.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `connect` fails.
    ///
    /// # Panics
    ///
    /// The future panics if it is polled outside a volt runtime.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the connection in progress.
    #[track_caller]
    pub fn connect_addr(address: &SocketAddr) -> UnixConnectAddr {
        register::<UnixConnectAddr>();
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

impl Inspect for UnixConnectAddr {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let report_peer = |report: &mut dyn FnMut(&dyn Debug)| {
            self.connecting.report_peer(report);
        };
        SocketWait::CONNECT.report_node("UnixConnectAddr", report_peer, inspector);
    }
}

registrable!(UnixConnectAddr);

impl Future for UnixConnectAddr {
    type Output = io::Result<UnixStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.connecting.poll(cx)
    }
}

impl UnixDatagram {
    /// Binds a socket to the address. On Linux the address can be abstract.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `bind` fails.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn bind_addr(address: &SocketAddr) -> io::Result<Self> {
        Self::from_std(std::os::unix::net::UnixDatagram::bind_addr(address)?)
    }

    /// Sets the peer of [`send`](Self::send).
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `connect` fails.
    pub fn connect_addr(&self, address: &SocketAddr) -> io::Result<()> {
        self.connect(unix_names::path(address))
    }

    /// Sends a datagram to an address. On Linux the address can be abstract.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`send_to`](Self::send_to).
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, nothing was sent.
    pub fn send_to_addr<'a>(
        &'a self,
        buf: &'a [u8],
        address: &SocketAddr,
    ) -> SendTo<'a, Self, PathBuf> {
        SendTo::new(self, buf, unix_names::path(address), ())
    }

    /// Waits until a datagram may have arrived. Only a receive operation shows whether one has.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Waits until a datagram may be sent. Only a send operation shows whether it can.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn writable(&self) -> Writable<'_> {
        Writable::new(self)
    }

    /// Receives a datagram that has already arrived.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`recv_from`](Self::recv_from), and [`io::ErrorKind::WouldBlock`] if
    /// none has arrived.
    pub fn try_recv_from(&self, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.io
            .try_io(Direction::Read, |socket| socket.recv_from(buf))
    }

    /// Sends a datagram if the system has room for it now.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`send_to`](Self::send_to), and [`io::ErrorKind::WouldBlock`] if there
    /// is no room.
    pub fn try_send_to<P>(&self, buf: &[u8], target: P) -> io::Result<usize>
    where
        P: AsRef<Path>,
    {
        let target = target.as_ref();
        self.io
            .try_io(Direction::Write, |socket| send_to(socket, buf, target))
    }
}

#[expect(private_interfaces, reason = "the trait has them too")]
impl HasRegistration for UnixDatagram {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}
