//! `LazyDeadline`: the deadline of a timeout, which is computed when its future first waits.

use std::panic::Location;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::sleep_future::Sleep;
use crate::driver::CoarseInstant;
use crate::time::now::{after, is_clock_unpaused};

/// The deadline of a timeout.
#[derive(Debug)]
pub(super) enum LazyDeadline {
    /// A duration from the creation. The exact time of the creation is not known yet.
    NotStarted(NotStarted),
    /// An exact deadline.
    Until(Sleep),
}

/// A duration from a time that the coarse clock of the system has measured.
#[derive(Debug)]
pub(super) struct NotStarted {
    duration: Duration,
    created: CoarseInstant,
    made_at: &'static Location<'static>,
}

impl LazyDeadline {
    /// Creates a deadline after a duration from now.
    #[inline]
    #[track_caller]
    pub(super) fn after(duration: Duration) -> Self {
        // Reading a paused clock costs no system call, so its exact time is used.
        if !is_clock_unpaused() {
            return Self::Until(Sleep::new(after(duration)));
        }
        Self::NotStarted(NotStarted {
            duration,
            created: CoarseInstant::now(),
            made_at: Location::caller(),
        })
    }

    /// Creates a deadline at an exact time.
    #[track_caller]
    pub(super) fn until(deadline: Instant) -> Self {
        Self::Until(Sleep::new(Some(deadline)))
    }

    /// Returns `true` if it was polled and had to wait.
    #[inline]
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self, Self::Until(sleep) if sleep.is_waiting())
    }

    /// Returns the time until the deadline, or `None` if it is not known yet.
    pub(super) fn left(&self) -> Option<Duration> {
        match self {
            Self::Until(sleep) => sleep.left(),
            Self::NotStarted(_) => None,
        }
    }

    /// Waits for the deadline without charging the budget of the task.
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
    /// Returns the deadline, or `None` if it cannot be represented.
    fn deadline(&self, now: Instant) -> Option<Instant> {
        self.created.to_instant(now).checked_add(self.duration)
    }
}
