//! The last sleeps of a worker, or the last waits in the driver, which show the load.

use std::time::{Duration, Instant};

/// A shorter sleep is brief.
const BRIEF: Duration = Duration::from_micros(100);
/// The number of brief sleeps in a row after which a worker is busy.
const BUSY_AFTER: u32 = 4;

/// The load of a worker, or of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// Its last sleeps were all brief: when it goes to sleep, there is a task again soon.
    Busy,
    /// At least one of them was not.
    Light,
}

/// The last sleeps of a worker.
#[derive(Debug, Default)]
pub(crate) struct BriefSleeps {
    /// The time at which it stopped to poll.
    since: Option<Instant>,
    in_a_row: u32,
}

impl BriefSleeps {
    /// Returns sleeps after which a worker is busy.
    #[cfg(all(test, not(shuttle)))]
    pub(super) fn many() -> Self {
        Self {
            since: None,
            in_a_row: BUSY_AFTER,
        }
    }

    /// Records that the worker has stopped to poll.
    pub(crate) fn begin(&mut self, now: Instant) {
        self.since = Some(now);
    }

    /// Returns the time at which the worker last stopped to poll.
    pub(crate) fn since(&self) -> Option<Instant> {
        self.since
    }

    /// Records that the worker has slept until `now`.
    pub(crate) fn end(&mut self, now: Instant) {
        let since = self.since.unwrap_or(now);
        let is_brief = now.saturating_duration_since(since) < BRIEF;
        let before = if is_brief { self.in_a_row } else { 0 };
        self.in_a_row = before.saturating_add(u32::from(is_brief));
    }

    /// Returns the load that the last sleeps show.
    pub(crate) fn load(&self) -> Load {
        if self.in_a_row >= BUSY_AFTER {
            Load::Busy
        } else {
            Load::Light
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{BRIEF, BUSY_AFTER, BriefSleeps, Load};
    use std::time::{Duration, Instant};

    #[test]
    fn brief_sleeps_make_a_worker_busy_until_a_long_one() {
        let mut sleeps = BriefSleeps::default();
        let mut now = Instant::now();
        let mut sleep = |sleeps: &mut BriefSleeps, time| {
            sleeps.begin(now);
            now += time;
            sleeps.end(now);
        };
        for _ in 0..BUSY_AFTER {
            assert_eq!(sleeps.load(), Load::Light);
            sleep(&mut sleeps, BRIEF - Duration::from_nanos(1));
        }
        assert_eq!(sleeps.load(), Load::Busy);
        sleep(&mut sleeps, BRIEF);
        assert_eq!(sleeps.load(), Load::Light);
    }
}
