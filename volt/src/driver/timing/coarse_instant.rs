//! A reading of the time that costs next to nothing, for a question that is mostly not asked.
//!
//! When a timeout begins matters only if its future has to wait. So the call notes what the
//! system's coarse clock says, which is a load, and the exact one is read at the first wait. That
//! is nearly always a moment later, and then the timeout counts from there. If it is not, the
//! coarse clock says how much time has passed, less what it may be behind.
//!
//! Whether a deadline has passed already matters only if it is near: a far one is put into the
//! wheel without asking. If the coarse clock was behind by more than it should, the driver fires it
//! at once.

use std::time::{Duration, Instant};

/// A moment that is known by the coarse clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoarseInstant(imp::Reading);

/// How much the coarse clock may be behind. It stands still for a tick of the system, which takes
/// 10 ms at most, and for longer where the machine is a guest whose host is busy.
const MAX_LAG: Duration = Duration::from_millis(50);

impl CoarseInstant {
    #[inline]
    pub(crate) fn now() -> Self {
        Self(imp::read())
    }

    /// The moment by the system's exact clock, which says `now`: not before it, and not later than
    /// `now`.
    pub(crate) fn to_instant(self, now: Instant) -> Instant {
        let passed = imp::since(self.0, || now).saturating_sub(MAX_LAG);
        now.checked_sub(passed).unwrap_or(now)
    }

    /// Whether it will be a while until so much time has passed since then.
    #[inline]
    pub(crate) fn is_far_before(self, time: Duration) -> bool {
        imp::since(self.0, Instant::now) + MAX_LAG < time
    }
}

#[cfg(all(target_os = "linux", not(any(miri, all(test, shuttle)))))]
mod imp {
    use std::mem::MaybeUninit;
    use std::time::{Duration, Instant};

    /// Since a moment that the system chose: seconds, and nanoseconds in the lowest bits.
    pub(crate) type Reading = u64;

    /// A second has fewer nanoseconds than these bits count.
    const NANOSECONDS: u32 = 30;

    /// Calls the C library, as the standard library's clocks do: rustix would look for the system's
    /// entry by itself, which ends a process that runs under valgrind.
    #[inline]
    pub(crate) fn read() -> Reading {
        let mut time = MaybeUninit::<libc::timespec>::zeroed();
        // SAFETY: the pointer is valid for a write of its type.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, time.as_mut_ptr()) };
        // SAFETY: zeros are a time. They stay, and so no time passes, where there is no such clock.
        let time = unsafe { time.assume_init() };
        (time.tv_sec as u64) << NANOSECONDS | time.tv_nsec as u64
    }

    /// By the coarse clock: less than what has passed.
    #[inline]
    pub(crate) fn since(then: Reading, _: impl FnOnce() -> Instant) -> Duration {
        duration(read()).saturating_sub(duration(then))
    }

    fn duration(reading: Reading) -> Duration {
        let nanoseconds = reading & ((1 << NANOSECONDS) - 1);
        Duration::new(reading >> NANOSECONDS, nanoseconds as u32)
    }
}

/// Where there is none, the exact clock is as far ahead as the coarse one may be behind.
#[cfg(not(all(target_os = "linux", not(any(miri, all(test, shuttle))))))]
mod imp {
    use std::time::{Duration, Instant};

    pub(crate) type Reading = Instant;

    #[inline]
    pub(crate) fn read() -> Reading {
        Instant::now()
    }

    pub(crate) fn since(then: Reading, now: impl FnOnce() -> Instant) -> Duration {
        now().saturating_duration_since(then) + super::MAX_LAG
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{CoarseInstant, MAX_LAG};

    #[test]
    fn moment_is_never_taken_for_an_earlier_one() {
        for pause in [0, 1, 20, 70, 120] {
            let before = Instant::now();
            let moment = CoarseInstant::now();
            thread::sleep(Duration::from_millis(pause));
            let now = Instant::now();
            let taken_for = moment.to_instant(now);
            assert!((before..=now).contains(&taken_for), "{pause} ms");
        }
    }

    #[test]
    fn moment_is_far_behind_what_lies_a_minute_after_it() {
        let moment = CoarseInstant::now();
        assert!(moment.is_far_before(Duration::from_secs(60)));
        for near in [Duration::ZERO, MAX_LAG] {
            assert!(!moment.is_far_before(near));
        }
        thread::sleep(Duration::from_millis(20));
        assert!(!moment.is_far_before(MAX_LAG));
    }

    /// A clock that is behind for longer than it may be is asked again.
    #[test]
    fn moment_that_is_long_over_is_known_to_a_bound() {
        let moment = CoarseInstant::now();
        let bound = Instant::now() + 2 * MAX_LAG;
        let is_known = |_| {
            thread::sleep(3 * MAX_LAG);
            moment.to_instant(Instant::now()) <= bound
        };
        assert!((0..20).any(is_known));
    }
}
