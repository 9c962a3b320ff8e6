//! How a scheduler is to be set up.

use std::fmt;

use super::observe::OrphanReporter;
use super::observe::{Hook, Hooks};

/// How a scheduler is to be set up.
pub(crate) struct Config {
    /// The name of the runtime.
    pub(crate) name: Option<Box<str>>,
    /// The number of workers, at least one.
    pub(crate) workers: usize,
    /// Where the workers' random choices begin; by default somewhere else each time.
    pub(crate) seed: Option<u64>,
    /// The number of polls between two monitor_rounds at the global queue; by default it adapts
    /// itself.
    pub(crate) queue_interval: Option<u32>,
    /// Whether tasks run in the order in which they were queued, the newest last.
    pub(crate) in_order: bool,
    /// The names of the threads, by the index of the worker.
    pub(crate) thread_name: Box<dyn Fn(usize) -> String + Send + Sync>,
    /// The stack of each thread; by default the platform's.
    pub(crate) stack_size: Option<usize>,
    /// The most threads beside those of the workers: they stand in for workers whose threads block
    /// in joins.
    pub(crate) spare_threads: usize,
    /// What to do about tasks that nobody can wake.
    pub(crate) orphans: OrphanReporter,
    /// What others want to hear of.
    pub(crate) hooks: Option<Box<Hooks>>,
    /// Called first on each worker's thread, where its scheduler is the current one.
    pub(crate) on_start: Option<Hook>,
    /// Called last on each worker's thread.
    pub(crate) on_stop: Option<Hook>,
}

impl Config {
    /// The defaults, for so many workers.
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            name: None,
            workers: workers.max(1),
            seed: None,
            queue_interval: None,
            in_order: false,
            thread_name: Box::new(|index| format!("volt-worker-{index}")),
            stack_size: None,
            spare_threads: 512,
            orphans: OrphanReporter::default(),
            hooks: None,
            on_start: None,
            on_stop: None,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("workers", &self.workers)
            .field("seed", &self.seed)
            .field("queue_interval", &self.queue_interval)
            .field("stack_size", &self.stack_size)
            .field("spare_threads", &self.spare_threads)
            .field("orphans", &self.orphans)
            .finish_non_exhaustive()
    }
}
