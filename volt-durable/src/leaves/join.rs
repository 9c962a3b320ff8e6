//! `Join`: two timers or signals, in any order.

use std::mem::replace;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

/// Waits for two durable futures, and returns both outputs. A snapshot contains the output of the
/// one that is ready first.
///
/// The futures are timers, signals, and others of this module.
///
/// # Panics
///
/// The future panics if it is polled by anything but a [`Worker`](crate::Worker), or after its end.
pub fn join<A, B>(first: A, second: B) -> Join<A, B>
where
    A: Future + Unpin,
    B: Future + Unpin,
{
    Join {
        first: Part::Waits(first),
        second: Part::Waits(second),
    }
}

/// The future of [`join`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "A: Serialize, A::Output: Serialize, B: Serialize, B::Output: Serialize",
    deserialize = "A: Deserialize<'de>, A::Output: Deserialize<'de>,
        B: Deserialize<'de>, B::Output: Deserialize<'de>"
))]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Join<A: Future, B: Future> {
    first: Part<A, A::Output>,
    second: Part<B, B::Output>,
}

/// A future of a join.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part<F, T> {
    Waits(F),
    Done(T),
    /// The output is returned. A join in this state is not stored, because it is ready.
    Returned,
}

impl<F: Future<Output = T> + Unpin, T> Part<F, T> {
    /// Polls the future if it is not ready. Returns `true` if the output is stored.
    fn poll(&mut self, cx: &mut Context<'_>) -> bool {
        if let Self::Waits(future) = self
            && let Poll::Ready(output) = Pin::new(future).poll(cx)
        {
            *self = Self::Done(output);
        }
        !matches!(self, Self::Waits(_))
    }

    fn take(&mut self) -> T {
        match replace(self, Self::Returned) {
            Self::Done(output) => output,
            Self::Waits(_) | Self::Returned => panic!("a join was polled after its end"),
        }
    }
}

/// The outputs are never pinned.
impl<A: Future + Unpin, B: Future + Unpin> Unpin for Join<A, B> {}

impl<A: Future + Unpin, B: Future + Unpin> Future for Join<A, B> {
    type Output = (A::Output, B::Output);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { first, second } = &mut *self;
        // Both are polled, so the machine waits for both.
        if first.poll(cx) & second.poll(cx) {
            Poll::Ready((first.take(), second.take()))
        } else {
            Poll::Pending
        }
    }
}
