//! Sleeping until a deadline.

use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use crate::driver::Timer;
use crate::runtime::context;
use crate::task::poll_proceed;
use crate::time::now::{after, now};

/// Waits until `duration` has passed.
///
/// The time counts from this call, not from the first poll. A duration that no clock counts, such
/// as [`Duration::MAX`], never passes.
///
/// # Panics
///
/// The future panics when it has to wait on a thread that is in no runtime, or when it is polled
/// after the runtime whose driver it waits for has shut down.
///
/// # Cancel safety
///
/// Dropping the future takes its timer out of the driver; nothing else is lost.
#[track_caller]
pub fn sleep(duration: Duration) -> Sleep {
    Sleep::new(after(duration))
}

/// The future of [`sleep`](fn@sleep), under the function's own name: what a state machine waits
/// for in `sleep(d).await`.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type sleep = Sleep;

/// Waits until the deadline; ready at once if it has passed.
///
/// # Panics
///
/// As [`sleep`](fn@sleep).
///
/// # Cancel safety
///
/// As [`sleep`](fn@sleep).
#[track_caller]
pub fn sleep_until(deadline: impl Into<Instant>) -> Sleep {
    Sleep::new(Some(deadline.into()))
}

/// The future of [`sleep_until`](fn@sleep_until), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type sleep_until = Sleep;

/// A deadline that a task waits for; see [`sleep`](fn@sleep).
///
/// Polled again after its deadline it is ready again.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Sleep {
    /// `None` lies beyond what any clock counts.
    deadline: Option<Instant>,
    state: SleepState,
}

/// What takes no more room than the timer.
#[derive(Debug)]
enum SleepState {
    /// It has no timer, and was made there or, if it has been ready before, polled there.
    Unregistered(&'static Location<'static>),
    /// From the first poll that had to wait.
    Waiting(Timer),
}

impl Sleep {
    #[track_caller]
    pub(super) fn new(deadline: Option<Instant>) -> Self {
        Self {
            deadline,
            state: SleepState::Unregistered(Location::caller()),
        }
    }

    /// One that was made there.
    pub(super) fn made_at(deadline: Option<Instant>, location: &'static Location<'static>) -> Self {
        Self {
            deadline,
            state: SleepState::Unregistered(location),
        }
    }

    /// When it ends; `None` when it never does.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether the deadline has passed.
    pub fn is_elapsed(&self) -> bool {
        self.has_passed(self.now())
    }

    /// Waits for another deadline instead.
    ///
    /// A task that waits for this future is woken at the new deadline. If that is later than the
    /// old one the task may be woken at the old one too, and then goes on waiting: pushing the
    /// deadline away again and again takes no lock.
    pub fn reset(&mut self, deadline: impl Into<Instant>) {
        self.deadline = Some(deadline.into());
        if let SleepState::Waiting(timer) = &mut self.state {
            timer.bring_forward(self.deadline);
        }
    }

    /// Whether it was polled and had to wait.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.state, SleepState::Waiting(_))
    }

    /// Waits for the deadline without spending the task's budget.
    #[track_caller]
    pub(super) fn poll_elapsed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let timer = match &mut self.state {
            SleepState::Waiting(timer) => timer,
            SleepState::Unregistered(_) => return self.begin(cx, Instant::now),
        };
        let now = timer.driver().now();
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.state = SleepState::Unregistered(Location::caller());
            return Poll::Ready(());
        }
        timer.update(now, self.deadline, cx.waker());
        Poll::Pending
    }

    /// The first poll, at which the system's clock says `system` if it is asked: not for a far deadline. It
    /// looks but once for the runtime that it is in.
    #[track_caller]
    pub(super) fn begin(
        &mut self,
        cx: &mut Context<'_>,
        system: impl FnOnce() -> Instant,
    ) -> Poll<()> {
        let driver = context::try_driver();
        let has_passed = match &driver {
            Some(driver) if driver.is_far_ahead(self.deadline) => false,
            Some(driver) => self.has_passed(driver.now_by(system())),
            None => self.has_passed(system()),
        };
        if has_passed {
            return Poll::Ready(());
        }
        let driver = match (driver, &self.state) {
            (Some(driver), _) => driver,
            (None, SleepState::Unregistered(made_at)) => context::driver_for(made_at),
            (None, SleepState::Waiting(timer)) => timer.driver().clone(),
        };
        self.state = SleepState::Waiting(Timer::new(driver, self.deadline, cx.waker()));
        Poll::Pending
    }

    /// The present, by the clock that the timer goes by.
    fn now(&self) -> Instant {
        match &self.state {
            SleepState::Waiting(timer) => timer.driver().now(),
            SleepState::Unregistered(_) => now(),
        }
    }

    fn has_passed(&self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }
}

impl Future for Sleep {
    type Output = ();

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let budget = ready!(poll_proceed(cx));
        ready!(self.poll_elapsed(cx));
        budget.made_progress();
        Poll::Ready(())
    }
}

#[cfg(all(test, not(loom)))]
#[path = "sleep_future_tests.rs"]
mod tests;
