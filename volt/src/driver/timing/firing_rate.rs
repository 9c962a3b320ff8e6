//! The rate at which timers fire, which decides how exactly a wait ends.
//!
//! A wait that ends exactly at the next deadline serves few timers if their deadlines are dense: a
//! hundred thousand timers in a second would need a wait every ten microseconds, and each wait
//! programs the timer of the processor. So waits are rounded up while many timers fire.

use super::clock::Tick;

/// The duration of a period, about a millisecond.
const PERIOD: Tick = 1 << 20;
/// The number of timers in a period from which on their deadlines are dense. One interval of 50 µs
/// stays below it.
const DENSE: u64 = 32;

/// The number of timers that fired in the current period and in the one before.
#[derive(Debug, Default)]
pub(crate) struct FiringRate {
    period: u64,
    fired: u64,
    before: u64,
}

impl FiringRate {
    /// Records that timers have fired.
    pub(crate) fn record(&mut self, now: Tick, fired: u64) {
        let period = now / PERIOD;
        match period.saturating_sub(self.period) {
            0 => self.fired += fired,
            passed => {
                self.before = if passed == 1 { self.fired } else { 0 };
                self.fired = fired;
                self.period = period;
            }
        }
    }

    /// Returns `true` if so many timers fired shortly before `tick` that a wait for each is too
    /// expensive.
    pub(crate) fn is_dense(&self, tick: Tick) -> bool {
        match (tick / PERIOD).saturating_sub(self.period) {
            0 => self.fired.max(self.before) >= DENSE,
            1 => self.fired >= DENSE,
            _ => false,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{DENSE, FiringRate, PERIOD};

    #[test]
    fn many_timers_are_dense_until_the_next_period_ends() {
        let mut rate = FiringRate::default();
        rate.record(7 * PERIOD, DENSE - 1);
        assert!(!rate.is_dense(7 * PERIOD));
        rate.record(7 * PERIOD + 1, 1);
        assert!(rate.is_dense(7 * PERIOD + 2));
        assert!(rate.is_dense(9 * PERIOD - 1));
        assert!(!rate.is_dense(9 * PERIOD));
    }

    #[test]
    fn few_timers_after_dense_ones_end_the_density() {
        let mut rate = FiringRate::default();
        rate.record(0, DENSE);
        rate.record(PERIOD, 1);
        assert!(rate.is_dense(PERIOD));
        rate.record(2 * PERIOD, 1);
        assert!(!rate.is_dense(2 * PERIOD));
    }

    #[test]
    fn interval_of_fifty_microseconds_is_not_dense() {
        let mut rate = FiringRate::default();
        for tick in (0..20 * PERIOD).step_by(50_000) {
            rate.record(tick, 1);
            assert!(!rate.is_dense(tick));
        }
    }

    #[test]
    fn old_periods_do_not_count() {
        let mut rate = FiringRate::default();
        rate.record(0, 1_000);
        rate.record(5 * PERIOD, 1);
        assert!(!rate.is_dense(5 * PERIOD));
    }
}
