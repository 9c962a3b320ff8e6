//! The turns of the global queue: when a worker takes tasks from it, and how many.
//!
//! A turn begins with a check that is due every so many polls. It lasts while the global queue has
//! tasks, but no longer than its quota and about a millisecond, so that the worker's own tasks run
//! again.

use std::time::Instant;

use crate::scheduler::queue::GlobalQueueInterval;

/// The state of a worker's turns.
#[derive(Debug)]
pub(crate) struct GlobalTurn {
    /// Polls of the worker's own tasks since it last took a batch.
    polls_since: u32,
    /// The number of such polls after which the worker follows an external hint.
    urgent_after: u32,
    /// The number of tasks that the current turn may still take; 0 without a turn.
    quota: u32,
    /// The time of the second batch of the current turn.
    since: Option<Instant>,
}

impl GlobalTurn {
    /// Returns the state of a worker that has not polled yet.
    pub(crate) fn new(interval: &GlobalQueueInterval) -> Self {
        Self {
            polls_since: 0,
            urgent_after: interval.urgent_polls(),
            quota: 0,
            since: None,
        }
    }

    /// Counts a poll of one of the worker's own tasks.
    #[inline]
    pub(crate) fn count_poll(&mut self) {
        self.polls_since += 1;
    }

    /// Returns `true` if an external hint makes a check due now.
    #[inline]
    pub(crate) fn is_due_if_urgent(&self) -> bool {
        self.polls_since >= self.urgent_after
    }

    /// Returns `true` if a check is due now without a hint.
    #[inline]
    pub(crate) fn is_due(&self, interval: &GlobalQueueInterval) -> bool {
        self.polls_since >= interval.polls()
    }

    /// Begins a turn.
    pub(crate) fn begin(&mut self, interval: &GlobalQueueInterval) {
        self.quota = interval.global_quota();
        self.since = None;
    }

    /// Returns `true` if the current turn may take another batch.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.quota != 0
    }

    /// Ends the turn.
    pub(crate) fn end(&mut self) {
        self.quota = 0;
    }

    /// Returns `true` if the turn has lasted for long enough.
    ///
    /// The time counts from the second batch, so that a check alone reads no clock.
    #[cold]
    pub(crate) fn has_expired(&mut self, interval: &GlobalQueueInterval) -> bool {
        if interval.is_fixed() {
            return false;
        }
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        GlobalQueueInterval::has_target_passed(now.saturating_duration_since(since))
    }

    /// Records a batch of `taken` tasks; zero ends the turn.
    pub(crate) fn record_batch(&mut self, interval: &GlobalQueueInterval, taken: usize) {
        self.polls_since = 0;
        self.urgent_after = interval.urgent_polls();
        if taken > 0 {
            // A batch has fewer than 2^32 tasks.
            self.quota = self.quota.saturating_sub(taken as u32);
        } else {
            self.end();
        }
    }

    /// Makes the next check due after `own` polls at the latest, because a batch has left tasks in
    /// the queue. `own` is the number of tasks in the ring.
    pub(crate) fn hasten(&mut self, own: usize) {
        // A ring has fewer than 2^32 tasks.
        self.urgent_after = self.urgent_after.min(own as u32 + 1);
    }
}
