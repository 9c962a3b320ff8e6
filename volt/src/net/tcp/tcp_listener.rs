//! Accepting connections.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::tcp_stream::TcpStream;
use crate::driver::{Direction, DriverHandle, ReadinessWait, Registration};
use crate::io::{HasRegistration, PollEvented, Readable};
use crate::net::addr::{AddressCandidates, ToSocketAddrs};
use crate::net::socket::impl_socket;
use crate::runtime::context;

/// A socket that connections come in by.
///
/// Any number of tasks may accept from one listener.
pub struct TcpListener {
    io: PollEvented<mio::net::TcpListener>,
}

impl TcpListener {
    /// Listens at the first of the addresses that can be had; port 0 lets the system choose.
    ///
    /// On Unix the address can be taken again right after an earlier listener is gone. Names are
    /// looked up in this call, which blocks the thread; [`lookup_host`](fn@crate::net::lookup_host)
    /// does so elsewhere.
    ///
    /// # Errors
    ///
    /// Fails when there is no address, or with the error that the last one met; the text names
    /// it.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn bind<A>(address: A) -> io::Result<Self>
    where
        A: ToSocketAddrs,
    {
        let driver = context::driver();
        AddressCandidates::resolve(address)?.open_first("listen at", |address| {
            Self::from_mio(driver.clone(), mio::net::TcpListener::bind(address)?)
        })
    }

    fn from_mio(driver: DriverHandle, listener: mio::net::TcpListener) -> io::Result<Self> {
        let io = PollEvented::new(driver, listener)?;
        Ok(Self { io })
    }

    /// Waits for the next connection, and returns it with its peer's address.
    ///
    /// # Errors
    ///
    /// Fails as the system's `accept` does, or when the runtime has shut down. When the process
    /// is out of descriptors the connection stays in the queue and the next call fails in the
    /// same way at once: free some, or wait, before trying again. A connection that its peer has
    /// given up meanwhile is passed over.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no connection.
    pub fn accept(&self) -> Accept<'_> {
        Accept {
            waiting: ReadinessWait::new(Direction::Read),
            listener: self,
        }
    }

    /// Accepts a connection, or has the task woken when one comes; the last task to ask is.
    ///
    /// # Errors
    ///
    /// As [`accept`](Self::accept).
    pub fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<io::Result<(TcpStream, SocketAddr)>> {
        self.io
            .poll_io(cx, Direction::Read, accept)
            .map(|accepted| self.register(accepted?))
    }

    /// Waits until a connection may have come; only accepting shows whether one has.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Accepts a connection that has come already.
    ///
    /// # Errors
    ///
    /// As [`accept`](Self::accept), and with [`io::ErrorKind::WouldBlock`] when none has.
    pub fn try_accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        self.register(self.io.try_io(Direction::Read, accept)?)
    }

    fn register(
        &self,
        (stream, peer): (mio::net::TcpStream, SocketAddr),
    ) -> io::Result<(TcpStream, SocketAddr)> {
        let stream = TcpStream::from_mio(self.io.driver().clone(), stream)?;
        Ok((stream, peer))
    }
}

impl_socket!(
    TcpListener,
    std::net::SocketAddr,
    std::net::TcpListener,
    mio::net::TcpListener
);

/// Accepts one connection; one that was given up meanwhile says to try again.
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

#[expect(private_interfaces, reason = "as the trait")]
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
