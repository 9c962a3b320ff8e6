//! What the workers count, and how others read it.

use std::time::Duration;

use crate::loom::sync::atomic::AtomicU64;
use crate::loom::sync::atomic::Ordering::Relaxed;

/// A number that one thread writes and all may read: no read-modify-write is needed.
#[derive(Debug)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// For the one writer.
    #[inline]
    pub(crate) fn add(&self, amount: u64) {
        // ORDERING: Relaxed: a figure, which nothing else is read by.
        self.0.store(self.get().wrapping_add(amount), Relaxed);
    }

    /// For the one writer, which has added too much.
    pub(crate) fn decrement(&self) {
        // ORDERING: Relaxed, as above.
        self.0.store(self.get().saturating_sub(1), Relaxed);
    }

    /// For the one writer.
    #[inline]
    pub(crate) fn set(&self, value: u64) {
        // ORDERING: Relaxed, as above.
        self.0.store(value, Relaxed);
    }

    #[inline]
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// The counters of one worker, written by its owner.
#[derive(Debug)]
pub(crate) struct Counters {
    pub(crate) spawned: Counter,
    /// Tasks that were completed there.
    pub(crate) ended: Counter,
    /// Entries in the queues, of tasks that somebody else had run.
    pub(crate) stale: Counter,
    /// Counted as a poll begins, stale or not, so that it also tells whether a worker is still in
    /// the same one.
    pub(crate) polled: Counter,
    /// Polls inside of joins: they are no progress of the worker's own.
    pub(crate) inlined: Counter,
    /// The id of the task that it polls or polled last, as bits; zero when it sleeps.
    pub(crate) running: Counter,
    pub(crate) stolen: Counter,
    pub(crate) parked: Counter,
    /// Times it announced that it sleeps, whether it then did or found something to do.
    pub(crate) park_attempts: Counter,
    pub(crate) lifo_hits: Counter,
    /// Those of them that the worker found there when it rose.
    pub(crate) lifo_after_wakeup: Counter,
    pub(crate) batch_fetches: Counter,
    pub(crate) overflows: Counter,
    pub(crate) busy_nanos: Counter,
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
        }
    }
}

/// What one worker has done so far, and what it has before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerStats {
    /// Tasks that were spawned by tasks on this worker.
    pub spawned: u64,
    /// Queue entries that it has run, those that it ran inside of joins too.
    #[doc(alias = "tasks_polled")]
    pub polled: u64,
    /// Thefts from other workers, of one task or of many.
    #[doc(alias = "tasks_stolen")]
    pub stolen: u64,
    /// Times it went to sleep.
    #[doc(alias = "times_parked")]
    pub parked: u64,
    /// Tasks that it ran straight from its LIFO slot.
    pub lifo_hits: u64,
    /// Batches that it drew from the global queue.
    #[doc(alias = "global_batch_fetches")]
    pub batch_fetches: u64,
    /// Times its ring was full and half of it moved to the global queue.
    pub overflows: u64,
    /// How long it was awake, up to its last look at the clock.
    pub busy: Duration,
    /// Tasks that wait in its own queues.
    pub queued: usize,
}

/// What a scheduler has done so far, and what it has before it.
///
/// The figures are read one after another while the workers run on, so they need not add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// One entry a worker.
    #[doc(alias = "num_workers")]
    pub workers: Vec<WorkerStats>,
    /// Tasks that were spawned, by anybody.
    #[doc(alias = "total_spawned")]
    pub spawned: u64,
    /// Tasks that are not complete.
    pub alive: usize,
    /// Queue entries that threads which are no workers have run, inside of joins.
    pub polled_elsewhere: u64,
    /// Tasks that were found waiting while nobody was left who could wake them.
    pub orphans: u64,
    /// Tasks that wait in the global queue.
    pub queued: usize,
    /// Workers that sleep.
    pub sleeping: usize,
    /// Workers that look for work in the queues of others.
    pub searching: usize,
}

impl Stats {
    /// Queue entries that were run, by anybody.
    #[must_use]
    #[doc(alias = "total_polled")]
    pub fn polled(&self) -> u64 {
        let by_workers: u64 = self.workers.iter().map(|worker| worker.polled).sum();
        by_workers + self.polled_elsewhere
    }

    /// Thefts, by all workers.
    #[must_use]
    #[doc(alias = "total_stolen")]
    pub fn stolen(&self) -> u64 {
        self.workers.iter().map(|worker| worker.stolen).sum()
    }

    /// How often any worker went to sleep.
    #[must_use]
    #[doc(alias = "total_parked")]
    pub fn parked(&self) -> u64 {
        self.workers.iter().map(|worker| worker.parked).sum()
    }
}
