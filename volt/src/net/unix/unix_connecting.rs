//! Making a connection in the Unix domain.

use std::future::Future;
use std::io;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::unix_stream::UnixStream;
use crate::driver::Direction;
use crate::io::attempted;
use crate::net::establish::establish;
use crate::runtime::context;
use crate::task::poll_proceed;

/// Connects to the socket that listens at the path.
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
    UnixConnect {
        path: path.as_ref().to_owned(),
        stream: None,
        made_at: Location::caller(),
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
    path: PathBuf,
    stream: Option<UnixStream>,
    made_at: &'static Location<'static>,
}

impl UnixConnect {
    #[track_caller]
    fn begin(&self) -> io::Result<UnixStream> {
        let driver = context::driver_for(self.made_at);
        UnixStream::from_mio(driver, mio::net::UnixStream::connect(&self.path)?)
    }

    #[track_caller]
    fn poll_stream(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<UnixStream>> {
        let stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                ready!(poll_proceed(cx)).made_progress();
                self.begin()?
            }
        };
        // It goes back while it waits.
        let stream = self.stream.insert(stream);
        ready!(stream.io.poll_io(cx, Direction::Write, establish))?;
        let stream = self.stream.take();
        Poll::Ready(Ok(stream.expect("it was put there")))
    }
}

impl Future for UnixConnect {
    type Output = io::Result<UnixStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let connected = ready!(self.poll_stream(cx));
        Poll::Ready(connected.map_err(|error| {
            let what = format_args!("connect to {}", self.path.display()).to_string();
            attempted(what, error)
        }))
    }
}
