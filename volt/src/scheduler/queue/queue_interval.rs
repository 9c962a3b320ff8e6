//! The number of polls between two monitor_rounds at the global queue.
//!
//! A worker that lives on its own queues must look at the global one now and then, or a task
//! that wakes itself would keep every external spawn waiting. How often follows from how long a
//! poll takes: about once a millisecond, but at least every 255 polls and at most every 8.

use std::time::Duration;

/// The time that should pass between two monitor_rounds, in nanoseconds.
#[doc(alias = "TARGET_LATENCY")]
const TARGET: u64 = 1_000_000;
/// The same when somebody outside is known to wait.
const URGENT_TARGET: u64 = 20_000;
/// The bounds of the answer, in polls.
const MIN: u64 = 8;
const MAX: u64 = 255;
/// The most polls to let pass when somebody outside is known to wait.
const MAX_URGENT: u64 = 8;
/// What a poll is taken to cost before the first sample, in nanoseconds.
const INITIAL_AVERAGE: u64 = 50_000;
/// One part in this many of a new average is the new sample (alpha is 0.1).
const WEIGHT: u64 = 10;
/// The average is kept in nanoseconds shifted by this, so that short polls are not rounded away.
const FRACTION: u32 = 8;
/// Longer samples count as this: one stalled poll shall not decide for the next thousand.
const LONGEST_SAMPLE: u64 = 1_000_000_000;

/// An exponentially weighted average of poll times, and the interval that follows from it.
#[derive(Clone, Debug)]
pub(crate) struct GlobalQueueInterval {
    average: u64,
    polls: u32,
    fixed: bool,
}

impl GlobalQueueInterval {
    /// Adapts itself, or stays at `fixed` polls.
    pub(crate) fn new(fixed: Option<u32>) -> Self {
        let mut interval = Self {
            average: INITIAL_AVERAGE << FRACTION,
            polls: 0,
            fixed: fixed.is_some(),
        };
        interval.polls = fixed.map_or_else(|| interval.adapted(), |polls| polls.max(1));
        interval
    }

    /// Notes that `polls` polls took `elapsed` together.
    pub(crate) fn sample(&mut self, elapsed: Duration, polls: u32) {
        if polls == 0 {
            return;
        }
        let nanos = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        let each = (nanos / u64::from(polls)).min(LONGEST_SAMPLE);
        self.average = (self.average * (WEIGHT - 1) + (each << FRACTION)) / WEIGHT;
        if !self.fixed {
            self.polls = self.adapted();
        }
    }

    /// How many polls to let pass before the next look at the clock: about a millisecond of them,
    /// but no more than `most`.
    pub(crate) fn tick(&self, most: u32) -> u32 {
        self.adapted().min(most)
    }

    /// How long so many polls will take, if they take as long as the last ones on average.
    pub(crate) fn estimate(&self, polls: usize) -> Duration {
        Duration::from_nanos((polls as u64).saturating_mul(self.average()))
    }

    /// How many polls to let pass before the next look.
    #[inline]
    pub(crate) fn polls(&self) -> u32 {
        self.polls
    }

    /// How many to let pass when somebody outside is known to wait.
    pub(crate) fn urgent_polls(&self) -> u32 {
        match self.fixed {
            true => MAX_URGENT as u32,
            false => (URGENT_TARGET / self.average()).clamp(1, MAX_URGENT) as u32,
        }
    }

    /// Whether it never changes, whatever time polls take.
    pub(crate) fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// How many tasks from outside may run in a row; where the time is to judge, any number.
    pub(crate) fn global_quota(&self) -> u32 {
        if self.fixed { self.polls } else { u32::MAX }
    }

    /// Whether so much time is what should pass between two monitor_rounds.
    pub(crate) fn has_target_passed(elapsed: Duration) -> bool {
        elapsed >= Duration::from_nanos(TARGET)
    }

    fn adapted(&self) -> u32 {
        (TARGET / self.average()).clamp(MIN, MAX) as u32
    }

    /// In nanoseconds, and not zero.
    fn average(&self) -> u64 {
        (self.average >> FRACTION).max(1)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::GlobalQueueInterval;
    use std::time::Duration;

    fn settled_on(each: Duration) -> u32 {
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
    fn poll_time_settles_the_interval() {
        for (micros, polls) in [
            (1, 255),
            (10, 100),
            (50, 20),
            (100, 10),
            (1000, 8),
            (9999, 8),
        ] {
            let got = settled_on(Duration::from_micros(micros));
            assert!(
                got.abs_diff(polls) <= 1,
                "{micros} us: {got}, expected {polls}"
            );
        }
    }

    #[test]
    fn hurry_is_a_matter_of_poll_time_unless_the_interval_is_fixed() {
        for (micros, polls) in [(0, 8), (1, 8), (5, 4), (10, 2), (1000, 1)] {
            let mut interval = GlobalQueueInterval::new(None);
            let mut fixed = GlobalQueueInterval::new(Some(1000));
            for _ in 0..200 {
                // A little less, as averages come near from above.
                let each = Duration::from_micros(micros) * 9 / 10;
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
        assert_eq!(settled_on(Duration::from_nanos(3)), 255);
        assert_eq!(settled_on(Duration::ZERO), 255);
    }

    #[test]
    fn one_sample_moves_the_average_by_a_tenth() {
        let mut interval = GlobalQueueInterval::new(None);
        interval.sample(Duration::from_micros(100), 1);
        assert_eq!(interval.polls(), 1000 / 55);
    }

    #[test]
    fn sample_of_nothing_and_of_an_age_do_no_harm() {
        let mut interval = GlobalQueueInterval::new(None);
        interval.sample(Duration::from_secs(1), 0);
        assert_eq!(interval.polls(), 20);
        interval.sample(Duration::MAX, 1);
        assert_eq!(interval.polls(), 8);
        for _ in 0..200 {
            interval.sample(Duration::from_micros(1), 1);
        }
        assert_eq!(interval.polls(), 255);
    }

    #[test]
    fn fixed_interval_ignores_samples() {
        let mut interval = GlobalQueueInterval::new(Some(31));
        interval.sample(Duration::from_secs(1), 1);
        assert_eq!(interval.polls(), 31);
        assert_eq!(GlobalQueueInterval::new(Some(0)).polls(), 1);
    }

    #[test]
    fn tick_follows_the_poll_time_however_the_interval_is_fixed() {
        for fixed in [None, Some(1), Some(1000)] {
            let mut interval = GlobalQueueInterval::new(fixed);
            for (micros, polls) in [(1, 128), (100, 10), (1000, 8), (1, 128)] {
                for _ in 0..200 {
                    interval.sample(Duration::from_micros(micros), 1);
                }
                let got = interval.tick(128);
                assert!(got.abs_diff(polls) <= 1, "{micros} us: {got}");
            }
        }
    }
}
