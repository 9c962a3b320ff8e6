//! Whether a worker is busy: whenever it goes to sleep, there is something to do soon.

use std::time::{Duration, Instant};

/// A sleep that is over before this is brief.
const BRIEF: Duration = Duration::from_micros(100);
/// After so many of them in a row a worker is busy.
const BUSY: u32 = 4;

/// The last sleeps of a worker.
#[derive(Debug, Default)]
pub(crate) struct BriefSleeps {
    /// When it ceased to poll.
    since: Option<Instant>,
    in_a_row: u32,
}

impl BriefSleeps {
    /// The worker has ceased to poll.
    pub(crate) fn begin(&mut self, now: Instant) {
        self.since = Some(now);
    }

    /// When the worker ceased to poll for the last time.
    pub(crate) fn since(&self) -> Option<Instant> {
        self.since
    }

    /// It has slept since.
    pub(crate) fn end(&mut self, now: Instant) {
        let since = self.since.unwrap_or(now);
        let is_brief = now.saturating_duration_since(since) < BRIEF;
        let before = if is_brief { self.in_a_row } else { 0 };
        self.in_a_row = before.saturating_add(u32::from(is_brief));
    }

    /// Whether all of the last few sleeps were brief.
    pub(crate) fn is_busy(&self) -> bool {
        self.in_a_row >= BUSY
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{BRIEF, BUSY, BriefSleeps};
    use std::time::{Duration, Instant};

    #[test]
    fn worker_is_busy_after_some_brief_sleeps_until_a_long_one() {
        let mut sleeps = BriefSleeps::default();
        let mut now = Instant::now();
        let mut sleep = |sleeps: &mut BriefSleeps, time| {
            sleeps.begin(now);
            now += time;
            sleeps.end(now);
        };
        for _ in 0..BUSY {
            assert!(!sleeps.is_busy());
            sleep(&mut sleeps, BRIEF - Duration::from_nanos(1));
        }
        assert!(sleeps.is_busy());
        sleep(&mut sleeps, BRIEF);
        assert!(!sleeps.is_busy());
    }
}
