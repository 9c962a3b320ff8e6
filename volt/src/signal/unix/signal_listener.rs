//! `Signal`: a listener for a signal.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use volt_inspect::{Inspect, Inspector, Node, Wait, register, registrable};

use super::signal_kind::SignalKind;
use crate::driver::DriverHandle;
use crate::runtime::context;
use crate::signal::listener_registry::Listener;
use crate::signal::relay::Relay;
use crate::task::poll_proceed;

/// Creates a listener for a signal.
///
/// The default action of the signal no longer takes place, for the rest of the process.
///
/// # Errors
///
/// Returns an [`InvalidInput`](io::ErrorKind::InvalidInput) error if there is no such signal, and
/// for signals that cannot be caught: `SIGKILL`, `SIGSTOP`, `SIGILL`, `SIGFPE`, `SIGSEGV`. Returns
/// an error if the process is out of descriptors.
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

/// A listener for a signal; see [`signal`].
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

    /// Returns the signal of this listener.
    pub fn kind(&self) -> SignalKind {
        self.kind
    }

    /// Waits for the signal. Several signals since the last call count as one.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime was shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no signal.
    pub fn recv(&mut self) -> RecvSignal<'_> {
        register::<RecvSignal<'_>>();
        RecvSignal { signal: self }
    }

    /// Polls for the signal; see [`recv`](Self::recv).
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime was shut down.
    pub fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let budget = ready!(poll_proceed(cx));
        let polled = match self.listener.poll(cx.waker()) {
            Poll::Ready(()) => Poll::Ready(Ok(())),
            // A runtime that was shut down before does not call the waker.
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

impl Inspect for RecvSignal<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("RecvSignal"), |inspector| {
            inspector.waits(Wait::Signal);
        });
    }
}

registrable!(RecvSignal<'a>);

impl Future for RecvSignal<'_> {
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.get_mut().signal.poll_recv(cx)
    }
}
