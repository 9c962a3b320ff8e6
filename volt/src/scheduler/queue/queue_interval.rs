//! The number of polls between two checks of the global queue.
//!
//! A worker whose own queues are never empty must check the global queue at times, or a task that
//! wakes itself would delay all tasks from outside. The number of polls follows from their
//! duration: about one check in a millisecond, but at least one in 255 polls and at most one in 8.

use std::time::Duration;

/// The time between two checks, in nanoseconds.
#[doc(alias = "TARGET_LATENCY")]
const TARGET: u64 = 1_000_000;
/// The same while a task from outside is known to wait.
const URGENT_TARGET: u64 = 20_000;
/// The bounds of the interval, in polls.
const MIN: u64 = 8;
const MAX: u64 = 255;
/// The longest interval while a task from outside is known to wait, in polls.
const MAX_URGENT: u64 = 8;
/// The assumed duration of a poll before the first sample, in nanoseconds.
const INITIAL_AVERAGE: u64 = 50_000;
/// The divisor for the weight of a new sample: alpha is 0.1.
const WEIGHT: u64 = 10;
/// The average has this many fractional bits, so that short polls are not rounded to zero.
const FRACTION: u32 = 8;
/// The longest duration of a sample: one stalled poll must not decide for the next thousand.
const LONGEST_SAMPLE: u64 = 1_000_000_000;

/// An exponentially weighted average of poll durations, and the interval that follows from it.
#[derive(Clone, Debug)]
pub(crate) struct GlobalQueueInterval {
    average: u64,
    polls: u32,
    fixed: bool,
}

impl GlobalQueueInterval {
    /// Returns an interval that adapts to the duration of polls, or that is `fixed`.
    pub(crate) fn new(fixed: Option<u32>) -> Self {
        let mut interval = Self {
            average: INITIAL_AVERAGE << FRACTION,
            polls: 0,
            fixed: fixed.is_some(),
        };
        interval.polls = fixed.map_or_else(|| interval.adapted(), |polls| polls.max(1));
        interval
    }

    /// Records that `polls` polls took `nanos` nanoseconds together.
    pub(crate) fn sample(&mut self, nanos: u64, polls: u32) {
        if polls == 0 {
            return;
        }
        let each = (nanos / u64::from(polls)).min(LONGEST_SAMPLE);
        self.average = (self.average * (WEIGHT - 1) + (each << FRACTION)) / WEIGHT;
        if !self.fixed {
            self.polls = self.adapted();
        }
    }

    /// Returns the number of polls in a tick: about a millisecond, and at most `most` polls.
    pub(crate) fn tick(&self, most: u32) -> u32 {
        self.adapted().min(most)
    }

    /// Returns the expected duration of `polls` polls, by the average.
    pub(crate) fn estimate(&self, polls: usize) -> Duration {
        Duration::from_nanos((polls as u64).saturating_mul(self.average()))
    }

    /// Returns the number of polls between two checks.
    #[inline]
    pub(crate) fn polls(&self) -> u32 {
        self.polls
    }

    /// Returns that number while a task from outside is known to wait.
    pub(crate) fn urgent_polls(&self) -> u32 {
        if self.fixed {
            return MAX_URGENT as u32;
        }
        (URGENT_TARGET / self.average()).clamp(1, MAX_URGENT) as u32
    }

    /// Returns `true` if the interval does not adapt.
    pub(crate) fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Returns the most tasks from outside in one turn. It is unlimited for adaptive intervals,
    /// whose turns end by time.
    pub(crate) fn global_quota(&self) -> u32 {
        if self.fixed { self.polls } else { u32::MAX }
    }

    /// Returns `true` if the time between two checks has passed.
    pub(crate) fn has_target_passed(elapsed: Duration) -> bool {
        elapsed >= Duration::from_nanos(TARGET)
    }

    fn adapted(&self) -> u32 {
        (TARGET / self.average()).clamp(MIN, MAX) as u32
    }

    /// Returns the average in nanoseconds, at least 1.
    fn average(&self) -> u64 {
        (self.average >> FRACTION).max(1)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::GlobalQueueInterval;
    const MICRO: u64 = 1_000;
    const SECOND: u64 = 1_000_000_000;

    fn settled_on(each: u64) -> u32 {
        let mut interval = GlobalQueueInterval::new(None);
        for _ in 0..200 {
            interval.sample(each * 16, 16);
        }
        interval.polls()
    }

    #[test]
    fn first_interval_is_twenty() {
        assert_eq!(GlobalQueueInterval::new(None).polls(), 20);
    }

    #[test]
    fn poll_time_determines_the_interval() {
        for (micros, polls) in [
            (1, 255),
            (10, 100),
            (50, 20),
            (100, 10),
            (1000, 8),
            (9999, 8),
        ] {
            let got = settled_on(micros * MICRO);
            assert!(
                got.abs_diff(polls) <= 1,
                "{micros} us: {got}, expected {polls}"
            );
        }
    }

    #[test]
    fn urgent_interval_follows_poll_time_unless_fixed() {
        for (micros, polls) in [(0, 8), (1, 8), (5, 4), (10, 2), (1000, 1)] {
            let mut interval = GlobalQueueInterval::new(None);
            let mut fixed = GlobalQueueInterval::new(Some(1000));
            for _ in 0..200 {
                // The average approaches the sample from above, so the sample is a little shorter.
                let each = micros * MICRO * 9 / 10;
                interval.sample(each, 1);
                fixed.sample(each, 1);
            }
            assert_eq!(
                (interval.urgent_polls(), fixed.urgent_polls()),
                (polls, 8),
                "{micros} us"
            );
        }
    }

    #[test]
    fn short_polls_are_not_rounded_away() {
        assert_eq!(settled_on(3), 255);
        assert_eq!(settled_on(0), 255);
    }

    #[test]
    fn one_sample_moves_the_average_by_a_tenth() {
        let mut interval = GlobalQueueInterval::new(None);
        interval.sample(100 * MICRO, 1);
        assert_eq!(interval.polls(), 1000 / 55);
    }

    #[test]
    fn extreme_samples_keep_interval_in_bounds() {
        let mut interval = GlobalQueueInterval::new(None);
        interval.sample(SECOND, 0);
        assert_eq!(interval.polls(), 20);
        interval.sample(u64::MAX, 1);
        assert_eq!(interval.polls(), 8);
        for _ in 0..200 {
            interval.sample(MICRO, 1);
        }
        assert_eq!(interval.polls(), 255);
    }

    #[test]
    fn fixed_interval_ignores_samples() {
        let mut interval = GlobalQueueInterval::new(Some(31));
        interval.sample(SECOND, 1);
        assert_eq!(interval.polls(), 31);
        assert_eq!(GlobalQueueInterval::new(Some(0)).polls(), 1);
    }

    #[test]
    fn tick_follows_poll_time_of_fixed_interval() {
        for fixed in [None, Some(1), Some(1000)] {
            let mut interval = GlobalQueueInterval::new(fixed);
            for (micros, polls) in [(1, 128), (100, 10), (1000, 8), (1, 128)] {
                for _ in 0..200 {
                    interval.sample(micros * MICRO, 1);
                }
                let got = interval.tick(128);
                assert!(got.abs_diff(polls) <= 1, "{micros} us: {got}");
            }
        }
    }
}
