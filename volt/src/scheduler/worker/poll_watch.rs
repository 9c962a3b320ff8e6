//! `PollWatch`: the number of polls of a worker that are timed because of a slow one.

use std::cell::Cell;
use std::time::Duration;

/// The number of polls that are watched after a slow one. Each costs less than a microsecond, so a
/// watch takes less than 2 % of the time of the slow poll.
const WATCHED_POLLS: u32 = 1024;

/// The watch of one worker's thread.
#[derive(Debug, Default)]
pub(crate) struct PollWatch {
    /// The number of polls that are still watched.
    left: Cell<u32>,
    /// The nanoseconds of slow polls that were found since the last run of polls.
    found: Cell<u64>,
    /// `true` if the thread has blocked in a way that lets other threads run the tasks of the
    /// worker: in a join, or in `block_in_place`.
    has_blocked: Cell<bool>,
}

impl PollWatch {
    pub(crate) fn begin(&self) {
        self.left.set(WATCHED_POLLS);
    }

    pub(crate) fn is_on(&self) -> bool {
        self.left.get() > 0
    }

    /// Counts a poll. Returns `true` if it is watched.
    pub(crate) fn count_poll(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Records that the thread blocks while other threads run the tasks of the worker.
    pub(crate) fn record_block(&self) {
        self.has_blocked.set(true);
    }

    /// Returns `true` if the thread has blocked in this way since the last call.
    pub(crate) fn take_block(&self) -> bool {
        self.has_blocked.take()
    }

    /// Records the time of a slow poll that was found.
    pub(crate) fn add_found(&self, nanos: u64) {
        self.found.set(self.found.get().saturating_add(nanos));
    }

    /// Returns the time of a run of polls without the slow polls that were found in it.
    pub(crate) fn take_unexplained(&self, run_nanos: u64) -> Duration {
        Duration::from_nanos(run_nanos.saturating_sub(self.found.take()))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{PollWatch, WATCHED_POLLS};
    use std::time::Duration;

    #[test]
    fn watch_ends_after_its_polls() {
        let watch = PollWatch::default();
        assert!(!watch.count_poll());
        watch.begin();
        assert!((0..WATCHED_POLLS).all(|_| watch.count_poll()));
        assert!(!watch.is_on() && !watch.count_poll());
    }

    #[test]
    fn found_polls_explain_one_run() {
        let watch = PollWatch::default();
        watch.add_found(60);
        watch.add_found(30);
        assert_eq!(watch.take_unexplained(100), Duration::from_nanos(10));
        assert_eq!(watch.take_unexplained(100), Duration::from_nanos(100));
    }
}
