//! A cheap reading of the time, for deadlines that are rarely needed.
//!
//! The start of a timeout matters only if its future has to wait. So the call reads the coarse
//! clock of the system, which is a load, and the first wait reads the exact clock. Nearly always
//! the wait follows at once, and the timeout counts from there. Otherwise the coarse clock shows
//! how much time has passed, at least.
//!
//! A check whether a deadline has passed is needed only if the deadline is near. A far deadline
//! goes to the wheel without a check. If the coarse clock lagged by more than it should, the driver
//! fires the timer at once.

use std::time::{Duration, Instant};

/// A time that was read from the coarse clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoarseInstant(imp::Reading);

/// The most by which the coarse clock may lag. It advances once in a tick of the system, which
/// takes at most 10 ms. It may take longer in a virtual machine whose host is busy.
const MAX_LAG: Duration = Duration::from_millis(50);

impl CoarseInstant {
    #[inline]
    pub(crate) fn now() -> Self {
        Self(imp::read())
    }

    /// Converts to the exact clock, which reads `now`. The result is not before this moment, and
    /// not after `now`.
    pub(crate) fn to_instant(self, now: Instant) -> Instant {
        let passed = imp::since(self.0, || now).saturating_sub(MAX_LAG);
        now.checked_sub(passed).unwrap_or(now)
    }

    /// Returns `true` if less than `time` has certainly passed since this moment.
    #[inline]
    pub(crate) fn is_far_before(self, time: Duration) -> bool {
        imp::since(self.0, Instant::now) + MAX_LAG < time
    }
}

#[cfg(all(target_os = "linux", not(any(miri, all(test, shuttle)))))]
mod imp {
    use std::mem::MaybeUninit;
    use std::time::{Duration, Instant};

    /// The time since a moment of the system's choice: seconds, and nanoseconds in the lowest bits.
    pub(crate) type Reading = u64;

    /// The number of bits for the nanoseconds of a second.
    const NANOSECONDS: u32 = 30;

    /// Reads the clock through the C library, as the standard library does. Rustix would look up
    /// the entry of the system itself, which terminates a process under valgrind.
    #[inline]
    pub(crate) fn read() -> Reading {
        let mut time = MaybeUninit::<libc::timespec>::zeroed();
        // SAFETY: the pointer is valid for a write of its type.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, time.as_mut_ptr()) };
        // SAFETY: zeros are a valid time. If there is no such clock they remain, and no time
        // passes.
        let time = unsafe { time.assume_init() };
        (time.tv_sec as u64) << NANOSECONDS | time.tv_nsec as u64
    }

    /// Returns the time since `then` by the coarse clock: at most the real one.
    #[inline]
    pub(crate) fn since(then: Reading, _: impl FnOnce() -> Instant) -> Duration {
        duration(read()).saturating_sub(duration(then))
    }

    fn duration(reading: Reading) -> Duration {
        let nanoseconds = reading & ((1 << NANOSECONDS) - 1);
        Duration::new(reading >> NANOSECONDS, nanoseconds as u32)
    }
}

/// Without a coarse clock, the exact one is used, ahead by the lag that the coarse one may have.
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
    fn coarse_instant_is_not_converted_backwards() {
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
    fn coarse_instant_is_far_before_next_minute() {
        let moment = CoarseInstant::now();
        assert!(moment.is_far_before(Duration::from_secs(60)));
        for near in [Duration::ZERO, MAX_LAG] {
            assert!(!moment.is_far_before(near));
        }
        thread::sleep(Duration::from_millis(20));
        assert!(!moment.is_far_before(MAX_LAG));
    }

    /// A clock that lags by more than it may is tried again.
    #[test]
    fn coarse_instant_converts_within_a_bound() {
        let moment = CoarseInstant::now();
        let bound = Instant::now() + 2 * MAX_LAG;
        let is_known = |_| {
            thread::sleep(3 * MAX_LAG);
            moment.to_instant(Instant::now()) <= bound
        };
        assert!((0..20).any(is_known));
    }
}
