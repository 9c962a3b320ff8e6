//! When a task was queued or polled, in 32 bits.
//!
//! A stamp counts the milliseconds since the first one of the process, and starts again after 2³² of
//! them, which are 49.7 days. So all arithmetic on stamps wraps, and an age beyond that is shown
//! without its multiples of it.

use crate::loom::LeakOnce;
use std::time::{Duration, Instant};

/// A stamp may be this much later than the time it is compared with: the two were read on different
/// threads.
const TOLERANCE: u32 = 1_000;

/// The stamp of an instant; never zero.
pub(crate) fn coarse_timestamp(now: Instant) -> u32 {
    static START: LeakOnce<Instant> = LeakOnce::new();
    let start = *START.get_or_leak(|| now);
    timestamp_after(now.saturating_duration_since(start))
}

/// The stamp of the instant that is so long after the first one.
fn timestamp_after(time: Duration) -> u32 {
    // Zero means that nobody knows, so two milliseconds in 49.7 days share a stamp.
    (time.as_millis() as u32).wrapping_add(1).max(1)
}

/// The time between two stamps; zero if `since` is a little later than `now`.
pub(crate) fn time_between(since: u32, now: u32) -> Duration {
    let passed = now.wrapping_sub(since);
    let is_later = passed > u32::MAX - TOLERANCE;
    Duration::from_millis(if is_later { 0 } else { passed.into() })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{TOLERANCE, time_between, timestamp_after};
    use std::time::Duration;

    const ROUND: u64 = 1 << 32;

    #[test]
    fn stamp_after_49_days_starts_again_and_is_never_zero() {
        let coarse_timestamp = |millis| timestamp_after(Duration::from_millis(millis));
        assert_eq!(coarse_timestamp(0), 1);
        assert_eq!(coarse_timestamp(ROUND - 2), u32::MAX);
        assert_eq!(coarse_timestamp(ROUND - 1), 1);
        assert_eq!(coarse_timestamp(ROUND), 1);
        assert_eq!(coarse_timestamp(ROUND + 1), 2);
        assert_ne!(timestamp_after(Duration::MAX), 0);
    }

    #[test]
    fn age_across_the_restart_is_right_to_a_millisecond() {
        for begin in [
            0,
            1,
            ROUND - 5_000,
            ROUND - 2,
            ROUND - 1,
            ROUND,
            3 * ROUND - 7,
        ] {
            for age in [0, 1, 2, 5_000, 86_400_000] {
                let coarse_timestamp = |millis| timestamp_after(Duration::from_millis(millis));
                let seen = time_between(coarse_timestamp(begin), coarse_timestamp(begin + age));
                let seen = seen.as_millis() as u64;
                assert!(
                    seen.abs_diff(age) <= 1,
                    "{seen} ms, not {age} from {begin} on"
                );
            }
        }
    }

    #[test]
    fn stamp_slightly_ahead_of_the_reader_is_no_age() {
        for ahead in [1, 5, TOLERANCE - 1] {
            assert_eq!(time_between(ahead, 0), Duration::ZERO);
        }
    }
}
