//! A reading of the time that costs next to nothing, for a question that is mostly not asked.
//!
//! When a [`timeout`](fn@super::timeout) begins matters only if its future has to wait. So the call notes
//! what the system's coarse clock says, which is a load, and the exact one is read at the first wait. That
//! is nearly always a moment later, and then the timeout counts from there. If it is not, the coarse clock
//! says how much time has passed, less what it may be behind.

use std::time::{Duration, Instant};

/// A moment that is known by the coarse clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coarse(imp::Reading);

/// How much the coarse clock may be behind. It stands still for a tick of the system, which takes 10 ms at
/// most, and for longer where the machine is a guest whose host is busy.
const MOST_BEHIND: Duration = Duration::from_millis(50);

impl Coarse {
    #[inline]
    pub(super) fn now() -> Self {
        Self(imp::read())
    }

    /// The moment by the system's exact clock, which says `now`: not before it, and not later than `now`.
    pub(super) fn not_before(self, now: Instant) -> Instant {
        let passed = imp::since(self.0, now).saturating_sub(MOST_BEHIND);
        now.checked_sub(passed).unwrap_or(now)
    }
}

#[cfg(all(target_os = "linux", not(any(miri, all(test, shuttle)))))]
mod imp {
    use std::time::{Duration, Instant};

    use rustix::time::{ClockId, Timespec, clock_gettime};

    pub(super) type Reading = Timespec;

    #[inline]
    pub(super) fn read() -> Reading {
        clock_gettime(ClockId::MonotonicCoarse)
    }

    /// By the coarse clock: less than what has passed.
    pub(super) fn since(then: Reading, _: Instant) -> Duration {
        Duration::try_from(read() - then).unwrap_or_default()
    }
}

/// Where there is none, the exact clock is as far ahead as the coarse one may be behind.
#[cfg(not(all(target_os = "linux", not(any(miri, all(test, shuttle))))))]
mod imp {
    use std::time::{Duration, Instant};

    pub(super) type Reading = Instant;

    #[inline]
    pub(super) fn read() -> Reading {
        Instant::now()
    }

    pub(super) fn since(then: Reading, now: Instant) -> Duration {
        now.saturating_duration_since(then) + super::MOST_BEHIND
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{Coarse, MOST_BEHIND};

    #[test]
    fn moment_is_never_taken_for_an_earlier_one() {
        for pause in [0, 1, 20, 70, 120] {
            let before = Instant::now();
            let moment = Coarse::now();
            thread::sleep(Duration::from_millis(pause));
            let now = Instant::now();
            let taken_for = moment.not_before(now);
            assert!((before..=now).contains(&taken_for), "{pause} ms");
        }
    }

    /// A clock that is behind for longer than it may be is asked again.
    #[test]
    fn moment_that_is_long_over_is_known_to_a_bound() {
        let moment = Coarse::now();
        let bound = Instant::now() + 2 * MOST_BEHIND;
        let is_known = |_| {
            thread::sleep(3 * MOST_BEHIND);
            moment.not_before(Instant::now()) <= bound
        };
        assert!((0..20).any(is_known));
    }
}
