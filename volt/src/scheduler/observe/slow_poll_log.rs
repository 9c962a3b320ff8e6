//! `SlowPollLog`: the last slow polls of a scheduler.

use std::collections::VecDeque;
use std::fmt;

use super::slow_poll::SlowPoll;
use crate::loom::sync::Mutex;

/// The largest number of polls that are stored.
pub(crate) const MAX_SLOW_POLLS: usize = 64;

/// The last slow polls of a scheduler, the oldest first. No memory is allocated before the first
/// one.
pub(crate) struct SlowPollLog(Mutex<VecDeque<SlowPoll>>);

impl SlowPollLog {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// Stores a poll, in place of the oldest one if the log is full.
    pub(crate) fn record(&self, slow: SlowPoll) {
        let mut polls = self.0.lock();
        let oldest = if polls.len() < MAX_SLOW_POLLS {
            None
        } else {
            polls.pop_front()
        };
        polls.push_back(slow);
        // The destructor of the oldest poll runs without the lock.
        drop(polls);
        drop(oldest);
    }

    /// Returns the polls, the oldest first.
    pub(crate) fn polls(&self) -> Vec<SlowPoll> {
        self.0.lock().iter().cloned().collect()
    }
}

impl fmt::Debug for SlowPollLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlowPollLog").finish_non_exhaustive()
    }
}
