//! `TcpListener`: accepts TCP connections.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use socket2::{Domain, Protocol, Socket, Type};
use volt_inspect::{Inspect, Inspector, register, registrable};

use super::tcp_stream::TcpStream;
use crate::driver::{Direction, DriverHandle, ReadinessWait, Registration};
use crate::io::{HasRegistration, PollEvented, Readable};
use crate::net::addr::{AddressCandidates, ToSocketAddrs};
use crate::net::socket::{SocketWait, impl_socket};
use crate::runtime::context;

/// The largest length of an accept queue that `listen` accepts. The system lowers it to its limit.
const LONGEST_QUEUE: i32 = i32::MAX;

/// A TCP socket that accepts connections.
///
/// Any number of tasks can accept from one listener.
pub struct TcpListener {
    io: PollEvented<mio::net::TcpListener>,
}

impl TcpListener {
    /// Listens at the first address that can be bound. With port 0, the system chooses a port.
    ///
    /// On Unix, the address can be bound again immediately after an earlier listener was closed.
    /// The accept queue is as long as the system permits, on Linux `net.core.somaxconn`. A
    /// [`TcpSocket`](crate::net::TcpSocket) sets another length.
    ///
    /// Names are looked up during this call, which blocks the thread.
    /// [`lookup_host`](fn@crate::net::lookup_host) does not block it.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no address. If no address can be bound, returns the error of
    /// the last one, and the message names that address.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn bind<A>(address: A) -> io::Result<Self>
    where
        A: ToSocketAddrs,
    {
        let driver = context::driver();
        AddressCandidates::resolve(address)?.open_first("listen at", |address| {
            Self::from_mio(driver.clone(), listen(address)?)
        })
    }

    fn from_mio(driver: DriverHandle, listener: mio::net::TcpListener) -> io::Result<Self> {
        let io = PollEvented::socket(driver, listener)?;
        Ok(Self { io })
    }

    /// Waits for the next connection, and returns it with the address of its peer.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `accept` fails, or if the runtime has shut down. If the
    /// process has no free descriptors, the connection stays in the queue, and the next call fails
    /// at once with the same error. Close descriptors or wait before the next call. A connection
    /// that its peer has aborted is skipped.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no connection.
    pub fn accept(&self) -> Accept<'_> {
        register::<Accept<'_>>();
        Accept {
            waiting: ReadinessWait::new(Direction::Read),
            listener: self,
        }
    }

    /// Accepts a connection. If none has arrived, the waker of the last caller is stored.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`accept`](Self::accept).
    pub fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<io::Result<(TcpStream, SocketAddr)>> {
        self.io
            .poll_io(cx, Direction::Read, accept)
            .map(|accepted| self.register(accepted?))
    }

    /// Waits until a connection may have arrived. Only `accept` shows whether one has.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Accepts a connection that has already arrived.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`accept`](Self::accept), and [`io::ErrorKind::WouldBlock`] if none
    /// has arrived.
    pub fn try_accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        self.register(self.io.try_io(Direction::Read, accept)?)
    }

    fn register(
        &self,
        (stream, peer): (mio::net::TcpStream, SocketAddr),
    ) -> io::Result<(TcpStream, SocketAddr)> {
        let stream = TcpStream::from_mio(self.io.driver().clone(), stream)?;
        stream.io.set_accepted();
        Ok((stream, peer))
    }
}

impl_socket!(
    TcpListener,
    std::net::SocketAddr,
    std::net::TcpListener,
    mio::net::TcpListener
);

/// Binds a listener whose accept queue is as long as the system permits.
///
/// `mio` and the standard library request 128 connections. If more arrive at once, Linux drops
/// their handshakes, and each such client waits for a second.
fn listen(address: SocketAddr) -> io::Result<mio::net::TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_nonblocking(true)?;
    // On Windows, this option lets another process bind the address of an open listener.
    #[cfg(not(windows))]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(LONGEST_QUEUE)?;
    Ok(mio::net::TcpListener::from_std(socket.into()))
}

/// Accepts one connection. An aborted connection returns `Interrupted`, so that the caller tries
/// again.
fn accept(listener: &mio::net::TcpListener) -> io::Result<(mio::net::TcpStream, SocketAddr)> {
    listener.accept().map_err(|error| match error.kind() {
        io::ErrorKind::ConnectionAborted => io::ErrorKind::Interrupted.into(),
        _ => error,
    })
}

/// The future of [`TcpListener::accept`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Accept<'a> {
    waiting: ReadinessWait,
    listener: &'a TcpListener,
}

impl Inspect for Accept<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let report_local = |report: &mut dyn FnMut(&dyn fmt::Debug)| {
            if let Ok(local) = self.listener.local_addr() {
                report(&local);
            }
        };
        SocketWait::ACCEPT.report_node("Accept", report_local, inspector);
    }
}

registrable!(Accept<'a>);

impl Future for Accept<'_> {
    type Output = io::Result<(TcpStream, SocketAddr)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.listener
            .io
            .poll_io_in(cx, &mut this.waiting, accept)
            .map(|accepted| this.listener.register(accepted?))
    }
}

#[expect(private_interfaces, reason = "the trait has them too")]
impl HasRegistration for TcpListener {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}

impl fmt::Debug for TcpListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpListener")
            .field("local", &self.local_addr().ok())
            .finish_non_exhaustive()
    }
}
