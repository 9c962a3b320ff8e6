//! The clock: instants, and the ticks that the timer wheel counts.
//!
//! A tick is a nanosecond since the clock's origin, so deadlines are exact: nothing is rounded
//! but the *waits*, which end on a multiple of 2¹⁴ ns (about 16 µs) so that timers which lie
//! close together are served by one.
//!
//! Every reading of the time in this crate goes through [`Clock::now`]. A frozen clock stands
//! still until it is advanced, which is how tests pass time without waiting for it.

use std::time::{Duration, Instant};

use crate::loom::sync::atomic::{AtomicU64, Ordering};

/// Waits end on a multiple of this many ticks.
const WAIT: Tick = 1 << 14;

/// Stands in [`Clock::frozen`] while the clock runs.
const RUNNING: u64 = u64::MAX;

/// A count of ticks since the origin of a [`Clock`].
pub(super) type Tick = u64;

/// The time as one driver sees it.
#[derive(Debug)]
pub(super) struct Clock {
    origin: Instant,
    /// Nanoseconds since `origin` at which the clock stands still, or [`RUNNING`].
    frozen: AtomicU64,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self {
            origin: Instant::now(),
            frozen: AtomicU64::new(RUNNING),
        }
    }

    #[inline]
    pub(super) fn now(&self) -> Instant {
        // ORDERING: Relaxed: who advances the clock wakes the driver afterwards, and that wake is
        // what orders the new time before its reading.
        match self.frozen.load(Ordering::Relaxed) {
            RUNNING => Instant::now(),
            frozen => self.origin + Duration::from_nanos(frozen),
        }
    }

    /// The present tick.
    pub(super) fn tick(&self) -> Tick {
        self.tick_of(self.now())
    }

    /// The tick of an instant: 0 for all before the origin, and the last one for all that lies
    /// 584 years after it.
    #[inline]
    pub(super) fn tick_of(&self, instant: Instant) -> Tick {
        let since = instant.saturating_duration_since(self.origin);
        since
            .as_secs()
            .saturating_mul(1_000_000_000)
            .saturating_add(u64::from(since.subsec_nanos()))
    }

    /// How long to wait for `tick`: zero when it has come, `None` when waiting brings it no
    /// nearer, because the clock is frozen or does not count that far.
    pub(super) fn time_until(&self, tick: Tick) -> Option<Duration> {
        let now = self.tick();
        if tick <= now {
            return Some(Duration::ZERO);
        }
        // ORDERING: as in `now`.
        if self.frozen.load(Ordering::Relaxed) != RUNNING {
            return None;
        }
        let end = tick.checked_next_multiple_of(WAIT)?;
        Some(Duration::from_nanos(end - now))
    }

    /// Stops the clock where it is.
    #[cfg(test)]
    pub(super) fn freeze(&self) {
        // ORDERING: as in `now`.
        self.frozen.store(self.tick(), Ordering::Relaxed);
    }

    /// Moves a frozen clock on.
    #[cfg(test)]
    pub(super) fn advance(&self, by: Duration) {
        let nanos = u64::try_from(by.as_nanos()).expect("the clock counts 584 years");
        // ORDERING: as in `now`.
        let before = self.frozen.fetch_add(nanos, Ordering::Relaxed);
        assert_ne!(before, RUNNING, "only a frozen clock is advanced");
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::{Clock, WAIT};

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
        assert_eq!(clock.time_until(u64::MAX), None);
    }

    #[test]
    fn frozen_clock_moves_only_by_advance() {
        let clock = Clock::new();
        clock.freeze();
        let (start, step) = (clock.now(), Duration::from_nanos(7));
        let deadline = clock.tick_of(start + step);
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(clock.now(), start);
        assert_eq!(clock.time_until(deadline), None);
        clock.advance(step);
        assert_eq!(clock.now(), start + step);
        assert_eq!(clock.time_until(deadline), Some(Duration::ZERO));
    }

    #[test]
    fn wait_is_never_short_and_little_too_long() {
        let clock = Clock::new();
        let grain = Duration::from_nanos(WAIT);
        for micros in [17, 100, 1_000, 100_000] {
            let deadline = clock.now() + Duration::from_micros(micros);
            let before = clock.now();
            let left = clock.time_until(clock.tick_of(deadline));
            let left = left.expect("the clock runs");
            assert!(left.is_zero() || clock.now() + left >= deadline);
            assert!(before + left <= deadline + grain);
        }
    }
}
