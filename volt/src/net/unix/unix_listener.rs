//! `UnixListener`: accepts connections of Unix sockets.

use std::fmt;
use std::future::Future;
use std::io;
use std::os::unix::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use volt_inspect::{Inspect, Inspector, register, registrable};

use super::unix_names;
use super::unix_stream::UnixStream;
use crate::driver::{Direction, DriverHandle, ReadinessWait, Registration};
use crate::io::{HasRegistration, PollEvented, Readable, with_context};
use crate::net::socket::{SocketWait, impl_socket};
use crate::runtime::context;

/// A Unix socket that accepts connections.
///
/// Any number of tasks can accept from one listener. A drop does not remove the file at its path.
/// Remove the file before another `bind` to the path.
pub struct UnixListener {
    pub(super) io: PollEvented<mio::net::UnixListener>,
}

impl UnixListener {
    /// Listens at the path, which must not exist. On Linux a path that begins with a zero byte is
    /// an abstract name.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `bind` fails. The message names the path.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn bind<P>(path: P) -> io::Result<Self>
    where
        P: AsRef<Path>,
    {
        let (driver, path) = (context::driver(), path.as_ref());
        let listener = unix_names::address(path)
            .and_then(|address| mio::net::UnixListener::bind_addr(&address));
        let shown = unix_names::display_name(path);
        let listener =
            listener.map_err(|error| with_context(format_args!("listen at {shown}"), error))?;
        Self::from_mio(driver, listener)
    }

    fn from_mio(driver: DriverHandle, listener: mio::net::UnixListener) -> io::Result<Self> {
        let io = PollEvented::socket(driver, listener)?;
        Ok(Self { io })
    }

    /// Waits for the next connection, and returns it with the address of its peer, which may be
    /// unnamed.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TcpListener::accept`](crate::net::TcpListener::accept).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no connection.
    pub fn accept(&self) -> UnixAccept<'_> {
        register::<UnixAccept<'_>>();
        UnixAccept {
            waiting: ReadinessWait::new(Direction::Read),
            listener: self,
        }
    }

    /// Accepts a connection. If none has arrived, the waker of the last caller is stored.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`accept`](Self::accept).
    pub fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<io::Result<(UnixStream, SocketAddr)>> {
        self.io
            .poll_io(cx, Direction::Read, mio::net::UnixListener::accept)
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
    pub fn try_accept(&self) -> io::Result<(UnixStream, SocketAddr)> {
        let accept = mio::net::UnixListener::accept;
        self.register(self.io.try_io(Direction::Read, accept)?)
    }

    fn register(
        &self,
        (stream, peer): (mio::net::UnixStream, SocketAddr),
    ) -> io::Result<(UnixStream, SocketAddr)> {
        let stream = UnixStream::from_mio(self.io.driver().clone(), stream)?;
        stream.io.set_accepted();
        Ok((stream, peer))
    }
}

impl_socket!(
    UnixListener,
    std::os::unix::net::SocketAddr,
    std::os::unix::net::UnixListener,
    mio::net::UnixListener
);

/// The future of [`UnixListener::accept`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct UnixAccept<'a> {
    waiting: ReadinessWait,
    listener: &'a UnixListener,
}

impl Inspect for UnixAccept<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let report_local = |report: &mut dyn FnMut(&dyn fmt::Debug)| {
            if let Ok(local) = self.listener.local_addr() {
                report(&local);
            }
        };
        SocketWait::ACCEPT.report_node("UnixAccept", report_local, inspector);
    }
}

registrable!(UnixAccept<'a>);

impl Future for UnixAccept<'_> {
    type Output = io::Result<(UnixStream, SocketAddr)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.listener
            .io
            .poll_io_in(cx, &mut this.waiting, mio::net::UnixListener::accept)
            .map(|accepted| this.listener.register(accepted?))
    }
}

#[expect(private_interfaces, reason = "the trait has them too")]
impl HasRegistration for UnixListener {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}

impl fmt::Debug for UnixListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnixListener")
            .field("local", &self.local_addr().ok())
            .finish_non_exhaustive()
    }
}
