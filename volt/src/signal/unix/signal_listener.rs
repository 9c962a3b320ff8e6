//! Listening for a signal.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use super::signal_kind::SignalKind;
use crate::driver::DriverHandle;
use crate::runtime::context;
use crate::signal::listener_registry::Listener;
use crate::signal::relay::Relay;
use crate::task::poll_proceed;

/// Listens for a signal from now on.
///
/// The signal no longer does what it did by default, for the rest of the process.
///
/// # Errors
///
/// Fails with [`InvalidInput`](io::ErrorKind::InvalidInput) when there is no such signal, or when it
/// is none that a listener could answer: `SIGKILL`, `SIGSTOP`, `SIGILL`, `SIGFPE`, `SIGSEGV`. Fails
/// when the process is out of descriptors.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
///
/// # Examples
///
/// ```
/// use volt::signal::unix::{SignalKind, signal};
///
/// volt::block_on(async {
///     let mut hangup = signal(SignalKind::hangup())?;
///     # signal_hook::low_level::raise(SignalKind::hangup().as_raw_value())?;
///     hangup.recv().await?;
///     println!("reading the configuration again");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[track_caller]
pub fn signal(kind: SignalKind) -> io::Result<Signal> {
    let driver = context::driver();
    Signal::new(driver, kind, Listener::new(kind.as_raw_value())?)
}

/// A listener for a signal; made by [`signal`].
pub struct Signal {
    kind: SignalKind,
    listener: Listener,
    relay: Arc<Relay>,
}

impl Signal {
    pub(in crate::signal) fn new(
        driver: DriverHandle,
        kind: SignalKind,
        listener: Listener,
    ) -> io::Result<Self> {
        Ok(Self {
            kind,
            listener,
            relay: Relay::of(driver)?,
        })
    }

    /// Which signal it listens for.
    pub fn kind(&self) -> SignalKind {
        self.kind
    }

    /// Waits until the signal comes. If it came since the last time, once or more often, that counts
    /// as one.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no signal.
    pub fn recv(&mut self) -> RecvSignal<'_> {
        RecvSignal { signal: self }
    }

    /// Does what [`recv`](Self::recv) does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let budget = ready!(poll_proceed(cx));
        let polled = match self.listener.poll(cx.waker()) {
            Poll::Ready(()) => Poll::Ready(Ok(())),
            // A runtime that ended before has not seen the waker.
            Poll::Pending => match self.relay.check() {
                Ok(()) => return Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
        };
        budget.made_progress();
        polled
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// The future of [`Signal::recv`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct RecvSignal<'a> {
    signal: &'a mut Signal,
}

impl Future for RecvSignal<'_> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.get_mut().signal.poll_recv(cx)
    }
}
