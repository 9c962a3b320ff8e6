//! Public futures that use or extend the budget of a task.

use super::budget::{consume, has_budget, poll_has_budget, poll_proceed, with_unlimited_budget};
use crate::machine::{register_wrapper, wrapper_inspect, wrapper_machine};
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use volt_inspect::{register, registrable};

/// Takes one unit from the budget of the task, and yields to other tasks if no unit is left.
///
/// Each poll of a task begins with a budget of 128 units. Each leaf future of volt takes one unit
/// when it is ready, and waits for the next poll when no unit is left. A loop that awaits no future
/// of volt and never waits takes none, so it blocks its worker. An await of `consume_budget` in it
/// is a point where it may yield.
///
/// Outside of tasks and of `block_on` there is a budget only within a
/// [`timeout`](crate::time::timeout()) or [`Handle::attach`](crate::Handle::attach). Elsewhere the
/// future is ready at once.
///
/// # Cancel safety
///
/// Dropping the future has no effect.
///
/// # Examples
///
/// ```
/// use volt::task::consume_budget;
///
/// async fn checksum(pages: &[Vec<u8>]) -> u64 {
///     let mut sum = 0;
///     for page in pages {
///         sum += page.iter().map(|&byte| u64::from(byte)).sum::<u64>();
///         consume_budget().await;
///     }
///     sum
/// }
/// # assert_eq!(volt::block_on(checksum(&vec![vec![1; 3]; 300])), 900);
/// ```
pub fn consume_budget() -> ConsumeBudget {
    ConsumeBudget { _private: () }
}

/// The future of [`consume_budget`](fn@consume_budget), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a machine names the future by the function"
)]
pub type consume_budget = ConsumeBudget;

/// The future of [`consume_budget`](fn@consume_budget).
#[must_use = "futures do nothing unless they are polled"]
#[derive(Clone, Debug)]
pub struct ConsumeBudget {
    _private: (),
}

impl Future for ConsumeBudget {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        ready!(poll_proceed(cx)).made_progress();
        Poll::Ready(())
    }
}

/// Returns `true` if a leaf future of volt may still be ready in this poll of the task.
///
/// Outside of tasks there is no budget, and the result is `true`.
#[must_use]
pub fn has_budget_remaining() -> bool {
    has_budget()
}

/// Charges the budget of the task for a future of another crate.
///
/// A channel of another crate that is never empty is ready at each poll. A plain `async` block that
/// loops on it would never yield, and a [`timeout`](fn@crate::time::timeout) around the loop would
/// never check its deadline. (A state machine counts its awaits, and yields by itself.) This
/// wrapper takes one unit from the budget each time that the future is ready. It does not poll the
/// future when no unit is left; see [`consume_budget`](fn@consume_budget).
///
/// # Cancel safety
///
/// The same as that of `future`.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use volt::task::cooperative;
/// use volt::time::timeout;
///
/// async fn drain(pages: async_channel_like::Receiver) -> u64 {
///     let mut count = 0;
///     while cooperative(pages.recv()).await {
///         count += 1;
///     }
///     count
/// }
///
/// let endless = drain(async_channel_like::Receiver);
/// let drained = volt::block_on(async { timeout(Duration::from_millis(1), endless).await });
/// assert!(drained.is_err());
/// # mod async_channel_like {
/// #     pub struct Receiver;
/// #     impl Receiver {
/// #         pub async fn recv(&self) -> bool { true }
/// #     }
/// # }
/// ```
pub fn cooperative<F: Future>(future: F) -> Cooperative<F> {
    register::<Cooperative<F>>();
    Cooperative { future }
}

/// The future of [`cooperative`](fn@cooperative), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a machine names the future by the function"
)]
pub type cooperative<F> = Cooperative<F>;

pin_project! {
    /// The future of [`cooperative`](fn@cooperative).
    #[must_use = "futures do nothing unless they are polled"]
    #[derive(Debug)]
    pub struct Cooperative<F> {
        #[pin]
        future: F,
    }
}

impl<F: Future> Future for Cooperative<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        ready!(poll_has_budget(cx));
        let output = ready!(self.project().future.poll(cx));
        consume();
        Poll::Ready(output)
    }
}

/// Polls a future without a budget, so that its leaf futures are never refused.
///
/// Use it for a section of a task that must not be interrupted, and that ends. While all its
/// sources are ready, it blocks its worker and the other futures of the task. The budget of the
/// task is unchanged afterwards.
///
/// # Cancel safety
///
/// The same as that of `future`.
///
/// # Examples
///
/// ```
/// use volt::task::{consume_budget, unconstrained};
///
/// volt::block_on(unconstrained(async {
///     for _ in 0..1_000 {
///         consume_budget().await; // always ready here
///     }
/// }));
/// ```
pub fn unconstrained<F: Future>(future: F) -> Unconstrained<F> {
    Unconstrained {
        future,
        has_waited: false,
    }
}

/// The future of [`unconstrained`](fn@unconstrained), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a machine names the future by the function"
)]
pub type unconstrained<F> = Unconstrained<F>;

pin_project! {
    /// The future of [`unconstrained`](fn@unconstrained).
    #[must_use = "futures do nothing unless they are polled"]
    #[derive(Debug)]
    pub struct Unconstrained<F> {
        #[pin]
        future: F,
        has_waited: bool,
    }
}

impl<F: Future> Future for Unconstrained<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let polled = with_unlimited_budget(|| this.future.poll(cx));
        if polled.is_pending() && !std::mem::replace(this.has_waited, true) {
            register_wrapper::<Self>();
        }
        polled
    }
}

wrapper_inspect!(Cooperative<F> { future });
registrable!(Cooperative<F>);

wrapper_machine!(Unconstrained<F> { future });
wrapper_inspect!(Unconstrained<F> { future });
