//! When a timeout ends, which nobody has to know before its future waits.

use std::panic::Location;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::sleep_future::Sleep;
use crate::driver::CoarseInstant;
use crate::time::now::{after, is_clock_unpaused};

/// The time that a future has.
#[derive(Debug)]
pub(super) enum LazyDeadline {
    /// A duration from a moment that nobody has asked for yet.
    NotStarted(NotStarted),
    /// A deadline.
    Until(Sleep),
}

/// A duration from a moment by the system's clock.
#[derive(Debug)]
pub(super) struct NotStarted {
    duration: Duration,
    begun: CoarseInstant,
    made_at: &'static Location<'static>,
}

impl LazyDeadline {
    /// So much time from now on.
    #[inline]
    #[track_caller]
    pub(super) fn after(duration: Duration) -> Self {
        // A clock that a test has paused is exact at no cost.
        if !is_clock_unpaused() {
            return Self::Until(Sleep::new(after(duration)));
        }
        Self::NotStarted(NotStarted {
            duration,
            begun: CoarseInstant::now(),
            made_at: Location::caller(),
        })
    }

    /// Until a deadline.
    #[track_caller]
    pub(super) fn until(deadline: Instant) -> Self {
        Self::Until(Sleep::new(Some(deadline)))
    }

    /// Whether it was polled and had to wait.
    #[inline]
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self, Self::Until(sleep) if sleep.is_waiting())
    }

    /// Waits for the end without spending the task's budget.
    #[track_caller]
    pub(super) fn poll_elapsed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            Self::Until(sleep) => sleep.poll_elapsed(cx),
            Self::NotStarted(not_started) => {
                let now = Instant::now();
                let deadline = not_started.deadline(now);
                let mut sleep = Sleep::made_at(deadline, not_started.made_at);
                let polled = sleep.begin(cx, || now);
                *self = Self::Until(sleep);
                polled
            }
        }
    }
}

impl NotStarted {
    /// `None` when no clock counts that far.
    fn deadline(&self, now: Instant) -> Option<Instant> {
        self.begun.to_instant(now).checked_add(self.duration)
    }
}
