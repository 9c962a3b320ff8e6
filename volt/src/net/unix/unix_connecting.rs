//! Making a connection in the Unix domain.

use std::fmt;
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
pub fn connect_unix<P>(path: P) -> UnixConnect<P>
where
    P: AsRef<Path>,
{
    UnixConnect {
        path: path.as_ref().to_owned(),
        owner: Some(path),
        stream: None,
        made_at: Location::caller(),
    }
}

/// The future of [`connect_unix`](fn@connect_unix), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type connect_unix<P> = UnixConnect<P>;

impl UnixStream {
    /// Connects to the socket that listens at the path; see [`connect_unix`](fn@connect_unix).
    ///
    /// # Errors
    ///
    /// As there.
    #[track_caller]
    pub fn connect<P>(path: P) -> UnixConnect<P>
    where
        P: AsRef<Path>,
    {
        connect_unix(path)
    }
}

/// A connection in the making; see [`connect_unix`](fn@connect_unix).
///
/// The future owns the path that it was made of, until it is ready. A future that was made of a
/// reference borrows it: pass a `PathBuf` by value to a future that is spawned.
#[must_use = "futures do nothing unless polled"]
pub struct UnixConnect<P> {
    path: PathBuf,
    /// A path that removes its socket when it is dropped must stay until the connection is there.
    owner: Option<P>,
    stream: Option<UnixStream>,
    made_at: &'static Location<'static>,
}

// The path is moved, never pinned.
impl<P> Unpin for UnixConnect<P> {}

impl<P> UnixConnect<P> {
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

impl<P> Future for UnixConnect<P> {
    type Output = io::Result<UnixStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let connected = ready!(self.poll_stream(cx));
        drop(self.owner.take());
        Poll::Ready(connected.map_err(|error| {
            let what = format_args!("connect to {}", self.path.display()).to_string();
            attempted(what, error)
        }))
    }
}

impl<P> fmt::Debug for UnixConnect<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnixConnect")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
