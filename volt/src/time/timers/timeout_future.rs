//! A deadline for another future.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use pin_project_lite::pin_project;

use super::lazy_deadline::LazyDeadline;
use crate::machine::{register_wrapper, wrapper_machine};
use crate::task::{consume, poll_has_budget, poll_proceed};
use crate::time::elapsed::Elapsed;

/// Gives a future a duration in which to be ready.
///
/// The output is the future's, or [`Elapsed`] when the time has passed first. The future is polled
/// before the clock is looked at, so one that is ready at its first poll succeeds whatever the
/// duration, and touches neither clock nor driver. The future stays where it is,
/// to be taken back by [`Timeout::into_inner`] or dropped with this one.
///
/// The time counts from this call. The call itself looks at the system's coarse clock only, where there is
/// one. If the future waits within 50 ms, the time counts from then; if it first does so later, from the
/// call, to within 100 ms. So the deadline may lie a little later than the duration says, but not earlier,
/// as long as the system keeps its coarse clock to 50 ms: [`timeout_at`](fn@timeout_at) has one that is exact.
///
/// In a state machine it is awaited as anywhere else: `timeout(duration, fetch(&url)).await`, where
/// `fetch` is itself a machine, and is lent the `url` at each poll.
///
/// # Panics
///
/// As [`sleep`](fn@crate::time::sleep).
///
/// # Cancel safety
///
/// Dropping it drops the future within; it is as safe as that.
///
/// # Spawned tasks
///
/// A [`JoinHandle`](crate::JoinHandle) that is dropped detaches its task, which runs on:
/// `timeout(limit, task)` limits the wait, and `timeout(limit, task.cancel_on_drop())` the task.
///
/// # Examples
///
/// ```
/// # async fn example() -> Result<(), volt::time::Elapsed> {
/// use std::time::Duration;
/// use volt::time::timeout;
///
/// let three = timeout(Duration::from_secs(1), async { 3 }).await?;
/// assert_eq!(three, 3);
/// # Ok(())
/// # }
/// ```
///
/// In a state machine:
///
/// ```
/// use std::time::Duration;
/// use volt::task::yield_now;
/// use volt::time::{Elapsed, timeout};
///
/// #[volt::state_machine]
/// async fn fetch(url: &str) -> usize {
///     yield_now().await;
///     url.len()
/// }
///
/// #[volt::state_machine]
/// async fn fetch_soon(url: String) -> Result<usize, Elapsed> {
///     timeout(Duration::from_secs(1), fetch(&url)).await
/// }
/// # assert_eq!(volt::block_on(fetch_soon("host".into())), Ok(4));
/// ```
#[doc(alias = "withTimeout")]
#[track_caller]
pub fn timeout<F>(duration: Duration, future: F) -> Timeout<F>
where
    F: Future,
{
    Timeout {
        future,
        limit: LazyDeadline::after(duration),
    }
}

/// The future of [`timeout`](fn@timeout), under the function's own name: what a state machine
/// waits for in `timeout(d, f).await`.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type timeout<F> = Timeout<F>;

/// Gives a future until the deadline to be ready; see [`timeout`](fn@timeout).
#[track_caller]
pub fn timeout_at<F>(deadline: impl Into<Instant>, future: F) -> Timeout<F>
where
    F: Future,
{
    Timeout {
        future,
        limit: LazyDeadline::until(deadline.into()),
    }
}

/// The future of [`timeout_at`](fn@timeout_at), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type timeout_at<F> = Timeout<F>;

pin_project! {
    /// A future with a deadline; see [`timeout`](fn@timeout).
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Timeout<F> {
        #[pin]
        future: F,
        limit: LazyDeadline,
    }
}

impl<F> Timeout<F> {
    /// The future within.
    pub fn get_ref(&self) -> &F {
        &self.future
    }

    /// The future within.
    pub fn get_mut(&mut self) -> &mut F {
        &mut self.future
    }

    /// Takes the future out and forgets the deadline.
    pub fn into_inner(self) -> F {
        self.future
    }
}

impl<F> Future for Timeout<F>
where
    F: Future,
{
    type Output = Result<F::Output, Elapsed>;

    #[track_caller]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let begins = !this.limit.is_waiting();
        // One that has waited gave way as it did. One that elapses at once has to do so, too.
        if begins && poll_has_budget(cx).is_pending() {
            return Poll::Pending;
        }
        if let Poll::Ready(output) = this.future.poll(cx) {
            // What is ready at once may be a leaf from elsewhere, which spends nothing by itself.
            if begins {
                consume();
            }
            return Poll::Ready(Ok(output));
        }
        if begins {
            register_wrapper::<Self>();
        }
        // The deadline holds even when the future has used up the task's budget.
        ready!(this.limit.poll_elapsed(cx));
        if begins && let Poll::Ready(budget) = poll_proceed(cx) {
            budget.made_progress();
        }
        Poll::Ready(Err(Elapsed::new()))
    }
}

wrapper_machine!(Timeout<F> { future });

#[cfg(all(test, not(loom)))]
#[path = "timeout_future_tests.rs"]
mod tests;
