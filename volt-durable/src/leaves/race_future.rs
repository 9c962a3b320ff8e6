//! `Race` and `Timeout`: the first of two timers and signals.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::poll_context::PollContext;
use super::sleep_future::{Sleep, sleep};

/// Waits for the first of two durable futures, and drops the other. If both are ready, the first
/// argument has precedence, and a message for the second one stays in the store.
///
/// The futures are timers, signals, and others of this module.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker).
pub fn race<A, B>(first: A, second: B) -> Race<A, B>
where
    A: Future + Unpin,
    B: Future + Unpin,
{
    Race { first, second }
}

/// The future of [`race`](fn@race), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type race<A, B> = Race<A, B>;

/// The future of [`race`](fn@race).
#[derive(Debug, Serialize, Deserialize)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Race<A, B> {
    first: A,
    second: B,
}

/// The output of [`race`](fn@race).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Raced<A, B> {
    /// The output of the first future.
    First(A),
    /// The output of the second future.
    Second(B),
}

impl<A: Future + Unpin, B: Future + Unpin> Race<A, B> {
    fn poll_both(&mut self, cx: &mut Context<'_>) -> Poll<Raced<A::Output, B::Output>> {
        if let Poll::Ready(output) = Pin::new(&mut self.first).poll(cx) {
            return Poll::Ready(Raced::First(output));
        }
        Pin::new(&mut self.second).poll(cx).map(Raced::Second)
    }
}

impl<A: Future + Unpin, B: Future + Unpin> Future for Race<A, B> {
    type Output = Raced<A::Output, B::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let before = PollContext::with_current(|context| context.wait.clone());
        let polled = self.poll_both(cx);
        if polled.is_ready() {
            // The machine no longer waits for the other future.
            PollContext::with_current(|context| context.wait = before);
        }
        polled
    }
}

/// Waits for a durable future, but not longer than a duration. The output is `None` after that.
///
/// The duration begins at the first poll, and is measured by the clock of the store. If the future
/// is ready when the time has passed, its output is returned.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker).
pub fn timeout<F: Future + Unpin>(duration: Duration, future: F) -> Timeout<F> {
    Timeout {
        race: race(future, sleep(duration)),
    }
}

/// The future of [`timeout`](fn@timeout), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type timeout<F> = Timeout<F>;

/// The future of [`timeout`](fn@timeout).
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Timeout<F> {
    race: Race<F, Sleep>,
}

impl<F: Future + Unpin> Future for Timeout<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.race).poll(cx).map(|raced| match raced {
            Raced::First(output) => Some(output),
            Raced::Second(()) => None,
        })
    }
}
