//! `Cancellable`: a timer or a signal that a cancellation ends.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

use super::race_future::{Race, Raced, race};
use super::signal_future::{Signal, signal};
use crate::store::CANCEL;

/// Waits for a durable future, or until [`Client::cancel`](crate::Client::cancel) is called.
///
/// A cancellation is received once, also if it arrived before this await. So a machine that undoes
/// its effects afterwards is not disturbed by it. A cancellation has precedence over the output of
/// the future, whose message then stays in the store.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker).
pub fn cancellable<F: Future + Unpin>(future: F) -> Cancellable<F> {
    Cancellable {
        race: race(signal(CANCEL), future),
    }
}

/// The future of [`cancellable`](fn@cancellable), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type cancellable<F> = Cancellable<F>;

/// The future of [`cancellable`](fn@cancellable).
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Cancellable<F> {
    race: Race<Signal<()>, F>,
}

impl<F: Future + Unpin> Future for Cancellable<F> {
    type Output = Result<F::Output, Cancelled>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.race).poll(cx).map(|raced| match raced {
            Raced::First(()) => Err(Cancelled),
            Raced::Second(output) => Ok(output),
        })
    }
}

/// The error of [`cancellable`](fn@cancellable): the cancellation of the machine was requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cancellation of the machine was requested")
    }
}

impl Error for Cancelled {}
