//! `Timeout`: a deadline for another future.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use pin_project_lite::pin_project;
use volt_inspect::{Inspect, Inspector, Node, Wait};

use super::lazy_deadline::LazyDeadline;
use crate::machine::{register_wrapper, wrapper_machine};
use crate::task::{consume, poll_has_budget, poll_proceed, with_some_budget};
use crate::time::elapsed::Elapsed;

/// Limits the time of a future.
///
/// The output is `Ok` with the output of the future, or [`Elapsed`] if the time has passed first.
/// Each poll polls the future before it reads the clock. So a future that is ready at its first
/// poll always succeeds, and uses neither clock nor driver. After the timeout,
/// [`Timeout::into_inner`] returns the unfinished future; otherwise it is dropped together with the
/// `Timeout`.
///
/// The time counts from this call. For speed, the call reads only the coarse clock of the system.
/// If the future first waits within 50 ms of the call, the time counts from that first wait. If it
/// first waits later, the time counts from the call, to within 100 ms. So the deadline can be a
/// little later than the duration specifies. It is not earlier, if the coarse clock is at most 50
/// ms late. For an exact deadline, use [`timeout_at`](fn@timeout_at).
///
/// In a state machine, the future can borrow locals: `timeout(duration, fetch(&url)).await`, where
/// `fetch` is a machine too.
///
/// # Panics
///
/// The future panics if that of [`sleep`](fn@crate::time::sleep) does.
///
/// # Cancel safety
///
/// Cancel safe if the inner future is, because dropping the `Timeout` drops the inner future.
///
/// # Spawned tasks
///
/// Dropping a [`JoinHandle`](crate::JoinHandle) detaches its task, which runs on. So
/// `timeout(limit, task)` limits only the wait for the task.
/// `timeout(limit, task.cancel_on_drop())` also cancels the task.
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
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type timeout<F> = Timeout<F>;

/// Limits the time of a future by a deadline; see [`timeout`](fn@timeout).
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
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type timeout_at<F> = Timeout<F>;

pin_project! {
    /// The future of [`timeout`](fn@timeout) and [`timeout_at`](fn@timeout_at).
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Timeout<F> {
        #[pin]
        future: F,
        limit: LazyDeadline,
    }
}

impl<F> Timeout<F> {
    /// Returns a reference to the inner future.
    pub fn get_ref(&self) -> &F {
        &self.future
    }

    /// Returns a mutable reference to the inner future.
    pub fn get_mut(&mut self) -> &mut F {
        &mut self.future
    }

    /// Returns the inner future, without the deadline.
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
        let is_first = !this.limit.is_waiting();
        // A later poll has already yielded by waiting. The first poll may elapse at once, so it
        // must yield if the budget is spent.
        if is_first && poll_has_budget(cx).is_pending() {
            return Poll::Pending;
        }
        if let Poll::Ready(output) = with_some_budget(|| this.future.poll(cx)) {
            // The inner future may be a foreign leaf, which does not charge the budget itself.
            if is_first {
                consume();
            }
            return Poll::Ready(Ok(output));
        }
        if is_first {
            register_wrapper::<Self>();
        }
        // The deadline applies even if the inner future has spent the budget of the task.
        ready!(this.limit.poll_elapsed(cx));
        if is_first && let Poll::Ready(budget) = poll_proceed(cx) {
            budget.made_progress();
        }
        Poll::Ready(Err(Elapsed::new()))
    }
}

wrapper_machine!(Timeout<F> { future });

impl<F> Inspect for Timeout<F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let this = self.project();
        inspector.node(&Node::new("Timeout").wrapper(), |inspector| {
            if let Some(left) = this.limit.left() {
                inspector.waits(Wait::Timer { left });
            }
            inspector.future(this.future);
        });
    }
}

#[cfg(all(test, not(loom)))]
#[path = "timeout_future_tests.rs"]
mod tests;
