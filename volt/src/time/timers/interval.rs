//! `Interval`: ticks at regular times.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use volt_inspect::{Inspect, Inspector, Node, Wait, register, registrable};

use super::sleep_future::Sleep;
use crate::task::poll_proceed;
use crate::time::now::now;

/// The lateness from which [`MissedTickBehavior::Delay`] delays the next ticks.
const MIN_LATENESS: Duration = Duration::from_millis(5);

/// Creates an interval that ticks at once, and then after each `period`.
///
/// # Panics
///
/// Panics if the period is zero.
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

/// Creates an interval that ticks at `start`, and then after each `period`.
///
/// # Panics
///
/// Panics if the period is zero.
#[track_caller]
pub fn interval_at(start: impl Into<Instant>, period: Duration) -> Interval {
    assert!(
        !period.is_zero(),
        "the period of an interval must be above zero"
    );
    Interval {
        sleep: Sleep::new(Some(start.into())),
        period,
        behavior: MissedTickBehavior::default(),
    }
}

/// A sequence of ticks at regular times; see [`interval`].
#[derive(Debug)]
#[must_use = "an interval does nothing unless `tick` is awaited"]
pub struct Interval {
    sleep: Sleep,
    period: Duration,
    behavior: MissedTickBehavior,
}

/// The behavior of an [`Interval`] after missed ticks: `tick` was not awaited when they were due.
///
/// ```text
///   due      0     1     2     3     4     5     6     7
///   Burst    0     1           234   5     6     7          missed ticks come at once
///   Delay    0     1           2     3     4     5          each tick a period after the last
///   Skip     0     1           2     4     5     6          missed ticks are omitted
///                        ▲     ▲
///                        └─────┴ a long wait between two calls of `tick`
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissedTickBehavior {
    /// The missed ticks come at once, one after the other. Then the ticks are at their regular
    /// times again.
    #[default]
    Burst,
    /// The next tick comes a period after the late one. A tick is late if it comes at least 5 ms,
    /// or an eighth of the period, after it was due; the shorter time applies.
    Delay,
    /// The missed ticks are omitted. The next tick comes at the next multiple of the period.
    Skip,
}

impl Interval {
    /// Waits for the next tick, and returns the time at which it was due.
    ///
    /// # Panics
    ///
    /// The future panics if that of [`sleep`](fn@crate::time::sleep) does.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no tick.
    pub fn tick(&mut self) -> Tick<'_> {
        register::<Tick<'_>>();
        Tick { interval: self }
    }

    /// Polls for the next tick. Returns the time at which it was due; if it is not due yet, the
    /// task is woken when it is.
    ///
    /// # Panics
    ///
    /// Panics if the poll of a [`sleep`](fn@crate::time::sleep) does.
    #[track_caller]
    pub fn poll_tick(&mut self, cx: &mut Context<'_>) -> Poll<Instant> {
        let budget = ready!(poll_proceed(cx));
        // A deadline that cannot be represented never elapses.
        ready!(self.sleep.poll_elapsed(cx));
        let due = self.sleep.deadline().unwrap_or_else(now);
        let next = self.behavior.next(due, now(), self.period);
        self.sleep = Sleep::new(next);
        budget.made_progress();
        Poll::Ready(due)
    }

    /// Returns the time between two ticks.
    #[must_use]
    pub fn period(&self) -> Duration {
        self.period
    }

    /// Returns the behavior after missed ticks.
    #[must_use]
    pub fn missed_tick_behavior(&self) -> MissedTickBehavior {
        self.behavior
    }

    /// Sets the behavior after missed ticks. The default is [`MissedTickBehavior::Burst`].
    pub fn set_missed_tick_behavior(&mut self, behavior: MissedTickBehavior) {
        self.behavior = behavior;
    }

    /// Moves the next tick to a period from now.
    #[track_caller]
    pub fn reset(&mut self) {
        self.sleep = Sleep::new(now().checked_add(self.period));
    }

    /// Moves the next tick to now. The ticks after it follow at each period.
    #[track_caller]
    pub fn reset_immediately(&mut self) {
        self.sleep = Sleep::new(Some(now()));
    }

    /// Moves the next tick to `after` from now. The ticks after it follow at each period. If the
    /// time cannot be represented, the interval never ticks.
    #[track_caller]
    pub fn reset_after(&mut self, after: Duration) {
        self.sleep = Sleep::new(now().checked_add(after));
    }

    /// Moves the next tick to this deadline. The ticks after it follow at each period.
    #[track_caller]
    pub fn reset_at(&mut self, deadline: impl Into<Instant>) {
        self.sleep = Sleep::new(Some(deadline.into()));
    }
}

impl MissedTickBehavior {
    /// Returns the time of the next tick, after a tick that was due at `due` and came at `now`.
    /// Returns `None` if the time cannot be represented.
    fn next(self, due: Instant, now: Instant, period: Duration) -> Option<Instant> {
        let late = now.saturating_duration_since(due);
        match self {
            Self::Burst => due.checked_add(period),
            Self::Delay if late < MIN_LATENESS.min(period / 8) => due.checked_add(period),
            Self::Delay => now.checked_add(period),
            Self::Skip => now.checked_add(period - remainder(late, period)),
        }
    }
}

/// Returns `time` modulo `period`.
fn remainder(time: Duration, period: Duration) -> Duration {
    let nanos = time.as_nanos() % period.as_nanos();
    // It is less than `period`, so the seconds fit in a `u64`.
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

impl Inspect for Tick<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Tick"), |inspector| {
            if let Some(left) = self.interval.sleep.left() {
                inspector.waits(Wait::Timer { left });
            }
        });
    }
}

registrable!(Tick<'a>);

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
