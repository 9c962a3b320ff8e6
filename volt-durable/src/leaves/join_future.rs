//! `Join`: two timers or signals, in any order.

use std::pin::Pin;
use std::task::{Context, Poll};

use serde::{Deserialize, Serialize};

use super::join_part::Part;

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

/// The future of [`join`](fn@join), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a generic machine names the future by the function"
)]
pub type join<A, B> = Join<A, B>;

/// The future of [`join`](fn@join).
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
