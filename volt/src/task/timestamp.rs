//! Timestamps of 32 bits for the last queueing or poll of a task.
//!
//! A timestamp counts the milliseconds since the first timestamp of the process, and wraps after
//! 2³² of them, which are 49.7 days. So all arithmetic on timestamps wraps, and ages are reported
//! modulo that period.

use crate::loom::LeakOnce;
use std::time::{Duration, Instant};

/// The number of milliseconds by which a timestamp may be later than the time that it is compared
/// with, because they are read on different threads.
const TOLERANCE: u32 = 1_000;

/// Returns the timestamp of an instant, which is never zero.
pub(crate) fn coarse_timestamp(now: Instant) -> u32 {
    static START: LeakOnce<Instant> = LeakOnce::new();
    let start = *START.get_or_leak(|| now);
    timestamp_after(now.saturating_duration_since(start))
}

/// Returns the timestamp of the instant that is `time` after the first one.
fn timestamp_after(time: Duration) -> u32 {
    // Zero means that the time is unknown, so two milliseconds in 49.7 days share a timestamp.
    (time.as_millis() as u32).wrapping_add(1).max(1)
}

/// Returns the time between two timestamps, or zero if `since` is slightly later than `now`.
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
    fn timestamp_wraps_and_is_never_zero() {
        let coarse_timestamp = |millis| timestamp_after(Duration::from_millis(millis));
        assert_eq!(coarse_timestamp(0), 1);
        assert_eq!(coarse_timestamp(ROUND - 2), u32::MAX);
        assert_eq!(coarse_timestamp(ROUND - 1), 1);
        assert_eq!(coarse_timestamp(ROUND), 1);
        assert_eq!(coarse_timestamp(ROUND + 1), 2);
        assert_ne!(timestamp_after(Duration::MAX), 0);
    }

    #[test]
    fn age_across_the_wrap_is_exact_to_a_millisecond() {
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
    fn timestamp_slightly_ahead_has_no_age() {
        for ahead in [1, 5, TOLERANCE - 1] {
            assert_eq!(time_between(ahead, 0), Duration::ZERO);
        }
    }
}
