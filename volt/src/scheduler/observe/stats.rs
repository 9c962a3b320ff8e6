//! The counters of the workers, and the statistics that users read.

use std::time::Duration;

use super::counter::Counter;
use super::poll_times::{PollTimeCounters, PollTimes};
use crate::task::TaskId;

/// The counters of one worker, which only its owner writes.
#[derive(Debug)]
pub(crate) struct Counters {
    pub(crate) spawned: Counter,
    /// Tasks that were completed on this worker.
    pub(crate) ended: Counter,
    /// Entries of the queues whose tasks another thread had polled.
    pub(crate) stale: Counter,
    /// Queue entries that were polled. It is counted when a poll begins, stale or not, so it also
    /// shows whether a worker is still in the same poll.
    pub(crate) polled: Counter,
    /// Polls inside of joins. They are no progress of the worker itself.
    pub(crate) inlined: Counter,
    /// The id of the task that is polled, or was polled last, as bits; zero while the worker
    /// sleeps.
    pub(crate) running: Counter,
    pub(crate) stolen: Counter,
    pub(crate) parked: Counter,
    /// The number of times that the worker announced a sleep, and then slept or found a task.
    pub(crate) park_attempts: Counter,
    pub(crate) lifo_hits: Counter,
    /// The hits among them of tasks that were in the slot when the worker woke up.
    pub(crate) lifo_after_wakeup: Counter,
    pub(crate) batch_fetches: Counter,
    pub(crate) overflows: Counter,
    pub(crate) busy_nanos: Counter,
    /// In a box, because each poll computes the address of the counters from their size.
    pub(crate) poll_times: Box<PollTimeCounters>,
}

impl Counters {
    pub(crate) fn new() -> Self {
        Self {
            spawned: Counter::new(),
            ended: Counter::new(),
            stale: Counter::new(),
            polled: Counter::new(),
            inlined: Counter::new(),
            running: Counter::new(),
            stolen: Counter::new(),
            parked: Counter::new(),
            park_attempts: Counter::new(),
            lifo_hits: Counter::new(),
            lifo_after_wakeup: Counter::new(),
            batch_fetches: Counter::new(),
            overflows: Counter::new(),
            busy_nanos: Counter::new(),
            poll_times: Box::new(PollTimeCounters::new()),
        }
    }

    /// Returns the task that is polled, or was polled last. `None` while the worker sleeps.
    pub(crate) fn running_task(&self) -> Option<TaskId> {
        TaskId::try_from_bits(self.running.get())
    }
}

/// The progress of one worker. It is the same at two times only if the worker has begun no poll
/// between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorkerProgress {
    /// The number of polls that the worker has begun.
    pub(crate) polled: u64,
    /// The task that the worker polls, or polled last. `None` while it sleeps.
    pub(crate) running: Option<TaskId>,
}

/// Statistics of one worker: its actions so far, and the length of its queues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerStats {
    /// Tasks that were spawned by tasks on this worker.
    pub spawned: u64,
    /// Queue entries that this worker has polled, including those inside of joins.
    #[doc(alias = "tasks_polled")]
    pub polled: u64,
    /// Steals from other workers, of one task or of several.
    #[doc(alias = "tasks_stolen")]
    pub stolen: u64,
    /// The number of times that the worker went to sleep.
    #[doc(alias = "times_parked")]
    pub parked: u64,
    /// Tasks that were polled directly from the LIFO slot.
    pub lifo_hits: u64,
    /// Batches that were taken from the global queue.
    #[doc(alias = "global_batch_fetches")]
    pub batch_fetches: u64,
    /// The number of times that the ring was full and half of it moved to the global queue.
    pub overflows: u64,
    /// The time for which the worker was awake, up to its last reading of the clock.
    pub busy: Duration,
    /// Tasks in the worker's own queues.
    pub queued: usize,
    /// The times of its polls, which are sampled by default.
    #[doc(alias = "poll_time_histogram")]
    pub poll_times: PollTimes,
}

/// Statistics of a scheduler: its actions so far, and its current state.
///
/// The numbers are read one after another while the workers run, so they may not add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Statistics of each worker.
    #[doc(alias = "num_workers")]
    pub workers: Vec<WorkerStats>,
    /// Tasks that were spawned, by all threads.
    #[doc(alias = "total_spawned")]
    pub spawned: u64,
    /// Tasks that are not complete.
    pub alive: usize,
    /// Queue entries that were polled inside of joins by threads that are not workers.
    pub polled_elsewhere: u64,
    /// Tasks that were found waiting although no waker for them existed.
    pub orphans: u64,
    /// Tasks in the global queue.
    pub queued: usize,
    /// Workers that sleep.
    pub sleeping: usize,
    /// Workers that look for tasks in the queues of others.
    pub searching: usize,
}

impl Stats {
    /// Returns the number of queue entries that were polled, by all threads.
    #[must_use]
    #[doc(alias = "total_polled")]
    pub fn polled(&self) -> u64 {
        let by_workers: u64 = self.workers.iter().map(|worker| worker.polled).sum();
        by_workers + self.polled_elsewhere
    }

    /// Returns the number of steals, by all workers.
    #[must_use]
    #[doc(alias = "total_stolen")]
    pub fn stolen(&self) -> u64 {
        self.workers.iter().map(|worker| worker.stolen).sum()
    }

    /// Returns the number of times that any worker went to sleep.
    #[must_use]
    #[doc(alias = "total_parked")]
    pub fn parked(&self) -> u64 {
        self.workers.iter().map(|worker| worker.parked).sum()
    }

    /// Returns the poll times of all workers.
    #[must_use]
    pub fn poll_times(&self) -> PollTimes {
        let mut sum = PollTimes::default();
        for worker in &self.workers {
            sum.add(&worker.poll_times);
        }
        sum
    }
}
