//! The clock: instants, and the ticks of the timer wheel.
//!
//! A tick is a nanosecond since the clock's origin, so deadlines are exact. Only *waits* are
//! rounded: they end on a multiple of 2¹⁴ ns (about 16 µs), so that one wait serves timers that are
//! close together. Short waits end on a multiple of at most a 64th of their duration. While many
//! timers fire, waits end on a multiple of 2¹⁹ ns (about 524 µs), see `firing_rate.rs`.
//!
//! All readings of the time in this crate use [`Clock::now`]. A clock that was never paused is that
//! of the system, which one flag shows. A clock that was paused is read under a lock. A paused
//! clock does not advance by itself, so tests can pass time without waiting.

use std::time::{Duration, Instant};

use super::coarse_instant::CoarseInstant;
use crate::loom::StickyFlag;
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::{AtomicBool, Ordering};

/// Waits end on a multiple of this many ticks.
const WAIT: Tick = 1 << 14;
/// Waits end on a multiple of this many ticks while the deadlines are dense.
const DENSE_WAIT: Tick = 1 << 19;
/// Short waits end on a multiple of their duration divided by this.
const PART: Tick = 64;

/// Set when any clock of this process is paused.
static ANY_WAS_PAUSED: StickyFlag = StickyFlag::new();

/// A number of ticks since the origin of a [`Clock`].
pub(crate) type Tick = u64;

/// The clock of one driver.
#[derive(Debug)]
pub(crate) struct Clock {
    origin: Instant,
    /// Read before the origin.
    coarse_origin: CoarseInstant,
    /// Set if `mock` determines the time, and not the system.
    was_paused: AtomicBool,
    mock: Mutex<MockClock>,
}

/// The state of a clock that was paused at least once.
#[derive(Clone, Copy, Debug)]
enum MockClock {
    /// It runs, with this difference to the clock of the system, in ticks.
    Running { offset: i64 },
    /// It does not run.
    Paused { at: Tick },
}

impl MockClock {
    fn tick(self, system: Tick) -> Tick {
        match self {
            Self::Running { offset } => system.saturating_add_signed(offset),
            Self::Paused { at } => at,
        }
    }
}

/// Returns `true` if each clock of this process is that of the system. This is one load, and most
/// programs have no paused clock.
#[inline]
pub(crate) fn was_no_clock_paused() -> bool {
    // ORDERING: the same as in `Clock::was_paused`.
    !ANY_WAS_PAUSED.is_set()
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self {
            coarse_origin: CoarseInstant::now(),
            origin: Instant::now(),
            was_paused: AtomicBool::new(false),
            mock: Mutex::new(MockClock::Running { offset: 0 }),
        }
    }

    #[inline]
    pub(crate) fn now(&self) -> Instant {
        self.now_by(Instant::now())
    }

    /// Returns the current time, if the clock of the system reads `system`.
    #[inline]
    pub(crate) fn now_by(&self, system: Instant) -> Instant {
        if self.was_paused() {
            return self.origin + Duration::from_nanos(self.mock_tick());
        }
        system
    }

    /// Returns `true` if the clock was ever paused, and so is not that of the system.
    #[inline]
    pub(crate) fn was_paused(&self) -> bool {
        // ORDERING: Relaxed: a thread that changes the clock wakes the driver afterwards, and that
        // wake orders the new time before its reading.
        self.was_paused.load(Ordering::Relaxed)
    }

    #[cold]
    fn mock_tick(&self) -> Tick {
        let mock = self.mock.lock();
        mock.tick(self.tick_of(Instant::now()))
    }

    /// Returns the current tick.
    pub(crate) fn tick(&self) -> Tick {
        self.tick_of(self.now())
    }

    /// Returns the tick of an instant: 0 for instants before the origin, and the last tick for
    /// instants more than 584 years after it.
    #[inline]
    pub(crate) fn tick_of(&self, instant: Instant) -> Tick {
        let since = instant.saturating_duration_since(self.origin);
        since
            .as_secs()
            .saturating_mul(1_000_000_000)
            .saturating_add(u64::from(since.subsec_nanos()))
    }

    /// Returns `true` if `tick` is known to be in the future without a reading of the exact clock.
    /// It may be wrong if the machine was busy with other work.
    #[inline]
    pub(crate) fn is_far_ahead(&self, tick: Tick) -> bool {
        !self.was_paused() && self.coarse_origin.is_far_before(Duration::from_nanos(tick))
    }

    /// Returns the time to wait for `tick`: zero if it has passed. Returns `None` if waiting does
    /// not help, because the clock is paused or does not count that far.
    ///
    /// If the deadlines near `tick` are `dense`, the wait serves many of them.
    pub(crate) fn time_until(&self, tick: Tick, dense: bool) -> Option<Duration> {
        let now = self.tick();
        if tick <= now {
            return Some(Duration::ZERO);
        }
        if self.is_paused() {
            return None;
        }
        let end = end_of_wait(now, tick, dense)?;
        Some(Duration::from_nanos(end - now))
    }

    /// Returns `true` if the clock is paused.
    #[inline]
    pub(crate) fn is_paused(&self) -> bool {
        self.was_paused() && matches!(*self.mock.lock(), MockClock::Paused { .. })
    }

    /// Pauses the clock at its current time, if it runs.
    pub(crate) fn pause(&self) {
        let mut mock = self.mock.lock();
        let at = mock.tick(self.tick_of(Instant::now()));
        *mock = MockClock::Paused { at };
        ANY_WAS_PAUSED.set();
        // ORDERING: the same as in `was_paused`.
        self.was_paused.store(true, Ordering::Relaxed);
    }

    /// Resumes a paused clock from its time.
    pub(crate) fn resume(&self) {
        let mut mock = self.mock.lock();
        if let MockClock::Paused { at } = *mock {
            let offset = at.cast_signed() - self.tick_of(Instant::now()).cast_signed();
            *mock = MockClock::Running { offset };
        }
    }

    /// Advances a paused clock. Returns `true` if it is paused.
    ///
    /// # Panics
    ///
    /// Panics if the new time is more than 292 years after the origin.
    pub(crate) fn advance(&self, by: Duration) -> bool {
        let mut mock = self.mock.lock();
        let MockClock::Paused { at } = &mut *mock else {
            return false;
        };
        let moved = u64::try_from(by.as_nanos()).ok();
        let moved = moved.and_then(|by| at.checked_add(by));
        *at = moved
            .filter(|&tick| i64::try_from(tick).is_ok())
            .expect("no clock counts that far: it ends after 292 years");
        true
    }

    /// Advances a paused clock to the tick that `next` returns, if that is later; returns `true` if
    /// it did. No thread reads the clock during the call of `next`.
    pub(crate) fn advance_to(&self, next: impl FnOnce() -> Option<Tick>) -> bool {
        let mut mock = self.mock.lock();
        let MockClock::Paused { at } = &mut *mock else {
            return false;
        };
        match next() {
            Some(tick) if *at < tick && i64::try_from(tick).is_ok() => {
                *at = tick;
                true
            }
            _ => false,
        }
    }
}

/// Returns the tick at which a wait for a later deadline ends, if the clock counts that far. It is
/// a multiple of a power of two, so that waits of all durations may end together.
fn end_of_wait(now: Tick, deadline: Tick, dense: bool) -> Option<Tick> {
    let part = ((deadline - now) / PART).max(1);
    let exact = WAIT.min(1 << part.ilog2());
    deadline.checked_next_multiple_of(if dense { DENSE_WAIT } else { exact })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::{Clock, DENSE_WAIT, WAIT, end_of_wait};

    #[test]
    fn tick_counts_nanoseconds_from_the_origin() {
        let clock = Clock::new();
        assert_eq!(clock.tick_of(clock.origin), 0);
        let later = clock.origin + Duration::new(3, 14);
        assert_eq!(clock.tick_of(later), 3_000_000_014);
    }

    #[test]
    fn instant_before_origin_is_tick_zero() {
        let clock = Clock::new();
        let before = clock.origin.checked_sub(Duration::from_secs(1));
        assert_eq!(clock.tick_of(before.expect("a second ago")), 0);
    }

    #[test]
    fn far_instant_saturates_and_is_not_waited_for() {
        let clock = Clock::new();
        let far = clock.origin + Duration::from_secs(1 << 40);
        assert_eq!(clock.tick_of(far), u64::MAX);
        assert_eq!(clock.time_until(u64::MAX, false), None);
    }

    #[test]
    fn far_deadline_is_known_while_never_paused() {
        let clock = Clock::new();
        let minute = 60_000_000_000;
        assert!(clock.is_far_ahead(clock.tick() + minute));
        assert!(!clock.is_far_ahead(clock.tick()));
        clock.pause();
        assert!(!clock.is_far_ahead(clock.tick() + minute));
    }

    #[test]
    fn paused_clock_moves_only_by_advance() {
        let clock = Clock::new();
        assert!(!clock.advance(Duration::from_secs(1)), "it runs");
        clock.pause();
        let (start, step) = (clock.now(), Duration::from_nanos(7));
        let deadline = clock.tick_of(start + step);
        std::thread::sleep(Duration::from_millis(1));
        clock.pause();
        assert_eq!(clock.now(), start);
        assert_eq!(clock.time_until(deadline, false), None);
        assert!(clock.advance(step));
        assert_eq!(clock.now(), start + step);
        assert_eq!(clock.time_until(deadline, false), Some(Duration::ZERO));
    }

    #[test]
    fn resumed_clock_runs_on_from_where_it_stood() {
        let clock = Clock::new();
        clock.resume();
        assert!(!clock.is_paused());
        clock.pause();
        assert!(clock.advance(Duration::from_secs(3_600)));
        let stood = clock.now();
        clock.resume();
        let runs = clock.now();
        assert!(runs >= stood && runs < stood + Duration::from_secs(60));
        clock.pause();
        assert!(clock.now() >= runs);
        let lost = |_| {
            clock.pause();
            std::thread::sleep(Duration::from_millis(20));
            let stood = clock.now();
            clock.resume();
            clock.now() - stood
        };
        // A busy machine may delay the thread between the two calls.
        let is_short = |lost| lost < Duration::from_millis(20);
        assert!((0..25).map(lost).any(is_short), "the pause counts");
    }

    #[test]
    fn paused_clock_is_advanced_to_later_ticks_only() {
        let clock = Clock::new();
        let later = clock.tick() + 1_000_000_000;
        assert!(!clock.advance_to(|| Some(later)), "it runs");
        clock.pause();
        assert!(clock.advance_to(|| Some(later)));
        assert!(!clock.advance_to(|| Some(later - 1)));
        assert!(!clock.advance_to(|| Some(u64::MAX)), "that is never");
        assert_eq!(clock.tick(), later);
    }

    #[test]
    fn wait_is_never_short_and_little_too_long() {
        let clock = Clock::new();
        let grain = Duration::from_nanos(WAIT);
        for micros in [1, 17, 100, 1_000, 100_000] {
            let before = clock.now();
            let deadline = before + Duration::from_micros(micros);
            let left = clock.time_until(clock.tick_of(deadline), false);
            let left = left.expect("the clock runs");
            assert!(left.is_zero() || clock.now() + left >= deadline);
            assert!(before + left <= deadline + grain);
            assert!(before + left <= deadline + Duration::from_micros(micros) / 64);
        }
    }

    #[test]
    fn waits_for_dense_deadlines_end_together() {
        let first = 1_000 * DENSE_WAIT + 1;
        let last = first + DENSE_WAIT - 1;
        for (now, deadline) in [
            (0, first),
            (first - 1, first),
            (first, last - 1),
            (first, last),
        ] {
            assert_eq!(end_of_wait(now, deadline, true), Some(last));
            let exact = end_of_wait(now, deadline, false).expect("in range");
            assert!((deadline..deadline + WAIT).contains(&exact));
        }
    }
}
