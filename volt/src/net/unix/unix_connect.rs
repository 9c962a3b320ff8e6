//! Making a connection in the Unix domain.

use std::future::Future;
use std::io;
use std::mem;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::unix_names;
use super::unix_stream::UnixStream;
use crate::driver::Direction;
use crate::io::with_context;
use crate::net::socket::check_connected;
use crate::runtime::context;
use crate::task::poll_spent;

/// Connects to the socket that listens at the path.
///
/// The system is called in this call, so that the path is needed for no longer. On Linux a path
/// that begins with a zero byte is an abstract name.
///
/// # Errors
///
/// Fails as the system's `connect` does; the text names the path. When too many others wait to be
/// accepted, Linux refuses with [`io::ErrorKind::WouldBlock`].
///
/// # Panics
///
/// The future panics when it is polled on a thread that is in no runtime.
///
/// # Cancel safety
///
/// Dropping the future closes the connection it was making.
#[track_caller]
pub fn connect_unix<P>(path: P) -> UnixConnect
where
    P: AsRef<Path>,
{
    let path = path.as_ref();
    let started = unix_names::address(path).and_then(|it| mio::net::UnixStream::connect_addr(&it));
    UnixConnect {
        connecting: UnixConnecting::started(started),
        path: path.to_owned(),
    }
}

/// The future of [`connect_unix`](fn@connect_unix), under the function's own name.
///
/// It is the same for every kind of path.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type connect_unix = UnixConnect;

impl UnixStream {
    /// Connects to the socket that listens at the path; see [`connect_unix`](fn@connect_unix).
    ///
    /// # Errors
    ///
    /// As there.
    #[track_caller]
    pub fn connect<P>(path: P) -> UnixConnect
    where
        P: AsRef<Path>,
    {
        connect_unix(path)
    }
}

/// A connection in the making; see [`connect_unix`](fn@connect_unix).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct UnixConnect {
    connecting: UnixConnecting,
    path: PathBuf,
}

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

/// A connection that the system was asked for.
#[derive(Debug)]
pub(super) struct UnixConnecting {
    stage: UnixConnectStage,
    made_at: &'static Location<'static>,
}

#[derive(Debug)]
enum UnixConnectStage {
    /// What the system has answered, which no driver watches yet.
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

    #[track_caller]
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<UnixStream>> {
        if matches!(self.stage, UnixConnectStage::Started(_)) {
            // An attempt that has failed is ready without having waited.
            ready!(poll_spent(cx));
        }
        let stream = match mem::replace(&mut self.stage, UnixConnectStage::Done) {
            UnixConnectStage::Started(started) => {
                let driver = context::driver_for(self.made_at);
                UnixStream::from_mio(driver, started?)?
            }
            UnixConnectStage::Registered(stream) => stream,
            UnixConnectStage::Done => {
                let error = io::Error::other("the connection was made or has failed before");
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
