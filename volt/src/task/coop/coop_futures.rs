//! What a task may say about its budget.

use super::budget::{consume, has_budget, poll_has_budget, poll_proceed, with_unlimited_budget};
use crate::machine::{register_wrapper, wrapper_machine};
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Takes one from the budget of the task, and gives way to other tasks if nothing is left.
///
/// Each poll of a task begins with a budget of 128. Every leaf future of volt takes one from it
/// when it is ready, and waits for the next poll when it is spent. A loop that awaits nothing of
/// volt and never has to wait spends nothing, so it keeps its worker: this says where it may give way.
/// Outside of tasks, and of what a thread blocks on, there is no budget and this is ready at once.
///
/// # Cancel safety
///
/// It holds nothing; dropping it changes nothing.
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

/// The future of [`consume_budget`](fn@consume_budget), by which machines name it.
#[allow(
    non_camel_case_types,
    reason = "it is found by the name of the function"
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

/// Whether a leaf future of volt may still be ready in this poll of the task.
///
/// True outside of tasks, where nobody counts.
#[must_use]
pub fn has_budget_remaining() -> bool {
    has_budget()
}

/// Makes a future from elsewhere spend the budget of the task, as those of volt do.
///
/// A channel of another crate that is never empty is ready at each poll. A plain `async` block that
/// loops on it would never give way, and a [`timeout`](fn@crate::time::timeout) around the loop
/// would never look at its clock. (A state machine counts its awaits and gives way by itself.) In
/// this wrapper the future takes one from the budget each time that it is ready, and is not polled
/// while nothing is left; see [`consume_budget`](fn@consume_budget).
///
/// # Cancel safety
///
/// That of `future`.
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
    Cooperative { future }
}

/// The future of [`cooperative`](fn@cooperative), by which machines name it.
#[allow(
    non_camel_case_types,
    reason = "it is found by the name of the function"
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

/// Polls a future without a budget: what is ready in it stays so, however often.
///
/// For a part of a task that must not be put off in the middle, and that is known to end. As long
/// as it finds everything ready, it keeps its worker, and what stands beside it in the task waits.
/// The budget of the task is the same afterwards as before.
///
/// # Cancel safety
///
/// That of `future`.
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
        waits: false,
    }
}

/// The future of [`unconstrained`](fn@unconstrained), by which machines name it.
#[allow(
    non_camel_case_types,
    reason = "it is found by the name of the function"
)]
pub type unconstrained<F> = Unconstrained<F>;

pin_project! {
    /// The future of [`unconstrained`](fn@unconstrained).
    #[must_use = "futures do nothing unless they are polled"]
    #[derive(Debug)]
    pub struct Unconstrained<F> {
        #[pin]
        future: F,
        waits: bool,
    }
}

impl<F: Future> Future for Unconstrained<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let polled = with_unlimited_budget(|| this.future.poll(cx));
        if polled.is_pending() && !std::mem::replace(this.waits, true) {
            register_wrapper::<Self>();
        }
        polled
    }
}

wrapper_machine!(Unconstrained<F> { future });
