//! Ticks at regular moments.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use super::sleep_future::Sleep;
use crate::task::poll_proceed;
use crate::time::now::now;

/// The least lateness at which [`MissedTickBehavior::Delay`] moves the ticks to come.
const MAX_DRIFT: Duration = Duration::from_millis(5);

/// Ticks at once, and then again after each `period`.
///
/// # Panics
///
/// If the period is zero.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use volt::time::interval;
///
/// volt::block_on(async {
///     let mut ticks = interval(Duration::from_millis(2));
///     let first = ticks.tick().await;
///     let second = ticks.tick().await;
///     assert_eq!(second - first, Duration::from_millis(2));
/// });
/// ```
///
/// In a state machine:
///
/// ```
/// use std::time::Duration;
/// use volt::time::{Interval, interval};
///
/// #[volt::state_machine]
/// async fn beat(times: u32) {
///     let mut heart: Interval = interval(Duration::from_millis(1));
///     let mut beats: u32 = 0;
///     while beats < times {
///         heart.tick().await;
///         beats += 1;
///     }
/// }
/// # volt::block_on(beat(3));
/// ```
#[track_caller]
pub fn interval(period: Duration) -> Interval {
    interval_at(now(), period)
}

/// Ticks at `start`, and then again after each `period`.
///
/// # Panics
///
/// If the period is zero.
#[track_caller]
pub fn interval_at(start: impl Into<Instant>, period: Duration) -> Interval {
    assert!(!period.is_zero(), "an interval has a period above zero");
    Interval {
        sleep: Sleep::new(Some(start.into())),
        period,
        behavior: MissedTickBehavior::default(),
    }
}

/// Ticks at regular moments; see [`interval`].
#[derive(Debug)]
#[must_use = "an interval ticks only for whoever waits for it"]
pub struct Interval {
    sleep: Sleep,
    period: Duration,
    behavior: MissedTickBehavior,
}

/// What an [`Interval`] does when it was not waited for in time, and ticks were missed.
///
/// ```text
///   due      0     1     2     3     4     5     6     7
///   Burst    0     1           234   5     6     7          as many as were due
///   Delay    0     1           2     3     4     5          a period after each
///   Skip     0     1           2     4     5     6          those to come stay where they are
///                        ▲     ▲
///                        └─────┴ a long wait between two calls of `tick`
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissedTickBehavior {
    /// Makes up for them: ticks without a pause until their number is right.
    #[default]
    Burst,
    /// Begins anew: the next tick comes a period after the late one. A tick is late if it comes
    /// 5 ms or an eighth of the period after it was due, whichever is less.
    Delay,
    /// Leaves them out: the next tick comes at the next multiple of the period.
    Skip,
}

impl Interval {
    /// Waits for the next tick; returns when it was due.
    ///
    /// # Panics
    ///
    /// As [`sleep`](fn@crate::time::sleep).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no tick.
    pub fn tick(&mut self) -> Tick<'_> {
        Tick { interval: self }
    }

    /// Returns when the tick that has come was due, or has the task woken when it comes.
    ///
    /// # Panics
    ///
    /// As [`sleep`](fn@crate::time::sleep).
    #[track_caller]
    pub fn poll_tick(&mut self, cx: &mut Context<'_>) -> Poll<Instant> {
        let budget = ready!(poll_proceed(cx));
        // An interval beyond what any clock counts never ticks, and never is elapsed.
        ready!(self.sleep.poll_elapsed(cx));
        let due = self.sleep.deadline().unwrap_or_else(now);
        let next = self.behavior.next(due, now(), self.period);
        self.sleep = Sleep::new(next);
        budget.made_progress();
        Poll::Ready(due)
    }

    /// The time from tick to tick.
    #[must_use]
    pub fn period(&self) -> Duration {
        self.period
    }

    /// What it does about ticks that were missed.
    #[must_use]
    pub fn missed_tick_behavior(&self) -> MissedTickBehavior {
        self.behavior
    }

    /// Sets what it does about ticks that were missed.
    pub fn set_missed_tick_behavior(&mut self, behavior: MissedTickBehavior) {
        self.behavior = behavior;
    }

    /// Has the next tick come a period from now.
    #[track_caller]
    pub fn reset(&mut self) {
        self.sleep = Sleep::new(now().checked_add(self.period));
    }

    /// Makes the next tick complete at once, and those after it a period later each.
    #[track_caller]
    pub fn reset_immediately(&mut self) {
        self.sleep = Sleep::new(Some(now()));
    }

    /// Makes the next tick complete after `after`, and those after it a period later each. A time
    /// that no clock counts never passes.
    #[track_caller]
    pub fn reset_after(&mut self, after: Duration) {
        self.sleep = Sleep::new(now().checked_add(after));
    }

    /// Has the next tick come at this deadline, and those after it from there on.
    #[track_caller]
    pub fn reset_at(&mut self, deadline: impl Into<Instant>) {
        self.sleep = Sleep::new(Some(deadline.into()));
    }
}

impl MissedTickBehavior {
    /// When the next tick is due after one that was due at `due` and came at `now`; `None` when
    /// no clock counts that far.
    fn next(self, due: Instant, now: Instant, period: Duration) -> Option<Instant> {
        let late = now.saturating_duration_since(due);
        match self {
            Self::Burst => due.checked_add(period),
            Self::Delay if late < MAX_DRIFT.min(period / 8) => due.checked_add(period),
            Self::Delay => now.checked_add(period),
            Self::Skip => now.checked_add(period - remainder(late, period)),
        }
    }
}

/// What is left of `time` after as many periods as fit into it.
fn remainder(time: Duration, period: Duration) -> Duration {
    let nanos = time.as_nanos() % period.as_nanos();
    // Less than the period, which a `Duration` held.
    Duration::new(
        (nanos / 1_000_000_000) as u64,
        (nanos % 1_000_000_000) as u32,
    )
}

/// The future of [`Interval::tick`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Tick<'a> {
    interval: &'a mut Interval,
}

impl Future for Tick<'_> {
    type Output = Instant;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Instant> {
        self.interval.poll_tick(cx)
    }
}

#[cfg(all(test, not(loom)))]
#[path = "interval_tests.rs"]
mod tests;
