//! `connect_unix`: new connections of Unix sockets.

use std::fmt::Debug;
use std::future::Future;
use std::io;
use std::mem;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, register, registrable};

use super::unix_names;
use super::unix_stream::UnixStream;
use crate::driver::Direction;
use crate::io::with_context;
use crate::net::socket::{SocketWait, check_connected};
use crate::runtime::context;
use crate::task::poll_spent;

/// Connects to the socket that listens at the path.
///
/// The function itself calls the system, before the first poll, so the path need not exist later.
/// On Linux a path that begins with a zero byte is an abstract name.
///
/// # Errors
///
/// Returns an error if the system call `connect` fails. The message names the path. If the accept
/// queue is full, Linux returns [`io::ErrorKind::WouldBlock`].
///
/// # Panics
///
/// The future panics if it is polled outside a volt runtime.
///
/// # Cancel safety
///
/// Dropping the future closes the connection in progress.
#[track_caller]
pub fn connect_unix<P>(path: P) -> UnixConnect
where
    P: AsRef<Path>,
{
    let path = path.as_ref();
    let started =
        unix_names::address(path).and_then(|address| mio::net::UnixStream::connect_addr(&address));
    register::<UnixConnect>();
    UnixConnect {
        connecting: UnixConnecting::started(started),
        path: path.to_owned(),
    }
}

/// The future of [`connect_unix`](fn@connect_unix), under the name of the function.
///
/// All types of paths have the same future.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "the alias has the name of its function"
)]
pub type connect_unix = UnixConnect;

impl UnixStream {
    /// Connects to the socket that listens at the path; see [`connect_unix`](fn@connect_unix).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`connect_unix`](fn@connect_unix).
    #[track_caller]
    pub fn connect<P>(path: P) -> UnixConnect
    where
        P: AsRef<Path>,
    {
        connect_unix(path)
    }
}

/// The future of [`connect_unix`](fn@connect_unix).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct UnixConnect {
    connecting: UnixConnecting,
    path: PathBuf,
}

impl Inspect for UnixConnect {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let report_path = |report: &mut dyn FnMut(&dyn Debug)| report(&self.path);
        SocketWait::CONNECT.report_node("UnixConnect", report_path, inspector);
    }
}

registrable!(UnixConnect);

impl Future for UnixConnect {
    type Output = io::Result<UnixStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let connected = ready!(self.connecting.poll(cx));
        Poll::Ready(connected.map_err(|error| {
            let path = unix_names::display_name(&self.path);
            with_context(format_args!("connect to {path}"), error)
        }))
    }
}

/// A connection that was requested from the system.
#[derive(Debug)]
pub(super) struct UnixConnecting {
    stage: UnixConnectStage,
    made_at: &'static Location<'static>,
}

#[derive(Debug)]
enum UnixConnectStage {
    /// The result of the system call. The socket is not registered with a driver.
    Started(io::Result<mio::net::UnixStream>),
    Registered(UnixStream),
    Done,
}

impl UnixConnecting {
    #[track_caller]
    pub(super) fn started(started: io::Result<mio::net::UnixStream>) -> Self {
        Self {
            stage: UnixConnectStage::Started(started),
            made_at: Location::caller(),
        }
    }

    /// Passes the address of the peer to `report`, if the system knows it.
    pub(super) fn report_peer(&self, report: &mut dyn FnMut(&dyn Debug)) {
        if let UnixConnectStage::Registered(stream) = &self.stage
            && let Ok(peer) = stream.peer_addr()
        {
            report(&peer);
        }
    }

    #[track_caller]
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<UnixStream>> {
        if matches!(self.stage, UnixConnectStage::Started(_)) {
            // A failed attempt is ready without a wait, so it takes budget here.
            ready!(poll_spent(cx));
        }
        let stream = match mem::replace(&mut self.stage, UnixConnectStage::Done) {
            UnixConnectStage::Started(started) => {
                let driver = context::driver_for(self.made_at);
                UnixStream::from_mio(driver, started?)?
            }
            UnixConnectStage::Registered(stream) => stream,
            UnixConnectStage::Done => {
                let error = io::Error::other("the connection is already established or has failed");
                return poll_spent(cx).map(|()| Err(error));
            }
        };
        match stream.io.poll_io(cx, Direction::Write, check_connected) {
            Poll::Ready(established) => Poll::Ready(established.map(|()| stream)),
            Poll::Pending => {
                self.stage = UnixConnectStage::Registered(stream);
                Poll::Pending
            }
        }
    }
}
