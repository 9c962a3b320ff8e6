//! `Sleep`: waiting until a deadline.

use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use crate::driver::Timer;
use crate::runtime::context;
use crate::task::poll_proceed;
use crate::time::now::{after, now};
use volt_inspect::{Inspect, Inspector, Node, Status, Wait, register_unpin, registrable};

/// Waits until `duration` has passed.
///
/// The time counts from this call, not from the first poll. If the deadline cannot be represented,
/// as for [`Duration::MAX`], the future never completes.
///
/// # Panics
///
/// The future panics if it has to wait on a thread that is in no runtime, or if it is polled after
/// the shutdown of the runtime that drives its timer.
///
/// # Cancel safety
///
/// Dropping the future removes its timer from the driver, and has no other effect.
#[track_caller]
pub fn sleep(duration: Duration) -> Sleep {
    Sleep::new(after(duration))
}

/// The future of [`sleep`](fn@sleep), under the function's own name: what a state machine waits
/// for in `sleep(d).await`.
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type sleep = Sleep;

/// Waits until the deadline. The future is ready at once if the deadline has passed.
///
/// # Panics
///
/// The future panics if that of [`sleep`](fn@sleep) does.
///
/// # Cancel safety
///
/// Dropping the future removes its timer from the driver, and has no other effect.
#[track_caller]
pub fn sleep_until(deadline: impl Into<Instant>) -> Sleep {
    Sleep::new(Some(deadline.into()))
}

/// The future of [`sleep_until`](fn@sleep_until), under the function's own name.
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type sleep_until = Sleep;

/// The future of [`sleep`](fn@sleep) and [`sleep_until`](fn@sleep_until).
///
/// It can be polled again after it was ready, and is then ready again.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Sleep {
    /// `None` if the deadline cannot be represented.
    deadline: Option<Instant>,
    state: SleepState,
}

/// The state of a sleep. The location fits in the niche of the timer, so it takes no extra space.
#[derive(Debug)]
enum SleepState {
    /// The sleep has no timer. The location is that of its creation or, after it was ready, of its
    /// last poll.
    Unregistered(&'static Location<'static>),
    /// The sleep has a timer, from the first poll that had to wait.
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

    /// Creates a sleep whose panic message names this location.
    pub(super) fn made_at(deadline: Option<Instant>, location: &'static Location<'static>) -> Self {
        Self {
            deadline,
            state: SleepState::Unregistered(location),
        }
    }

    /// Returns the deadline, or `None` if the sleep never ends.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns `true` if the deadline has passed.
    pub fn is_elapsed(&self) -> bool {
        self.has_passed(self.now())
    }

    /// Changes the deadline.
    ///
    /// A task that waits for this future is woken at the new deadline. If the new deadline is later
    /// than the old one, the task may also be woken at the old one, and then waits again. So moving
    /// a deadline to a later time takes no lock.
    pub fn reset(&mut self, deadline: impl Into<Instant>) {
        self.deadline = Some(deadline.into());
        if let SleepState::Waiting(timer) = &mut self.state {
            timer.bring_forward(self.deadline);
        }
    }

    /// Returns `true` if it was polled and had to wait.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.state, SleepState::Waiting(_))
    }

    /// Waits for the deadline without charging the budget of the task.
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

    /// Does the first poll. `system` reads the clock of the system; it is not called for a far
    /// deadline. The runtime of this thread is looked up only once.
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
        register_unpin::<Self>();
        Poll::Pending
    }

    /// Returns the time until the deadline, or `None` if the sleep never ends.
    pub(crate) fn left(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since(self.now()))
    }

    /// Returns the current time by the clock of the timer.
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

impl crate::machine::RunsUnpolled for Sleep {}

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

impl Inspect for Sleep {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let status = match self.state {
            SleepState::Waiting(_) => Status::Waiting,
            SleepState::Unregistered(_) => Status::NotStarted,
        };
        inspector.node(&Node::new("Sleep").status(status), |inspector| {
            let left = self.left().unwrap_or(Duration::MAX);
            inspector.waits(Wait::Timer { left });
        });
    }
}

registrable!(Sleep);

#[cfg(all(test, not(loom)))]
#[path = "sleep_future_tests.rs"]
mod tests;
