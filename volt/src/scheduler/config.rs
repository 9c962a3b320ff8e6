//! The configuration of a scheduler.

use std::fmt;

use super::observe::OrphanReporter;
use super::observe::{Hook, Hooks};

/// The order in which a worker polls the tasks that it queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskOrder {
    /// The newest task is next; a task that it displaces goes to the ring.
    NewestFirst,
    /// The oldest task is next.
    Fifo,
}

/// The configuration of a scheduler.
pub(crate) struct Config {
    /// The name of the runtime.
    pub(crate) name: Option<Box<str>>,
    /// The names of the types whose values dumps hide.
    pub(crate) secret_types: Vec<&'static str>,
    /// Dumps contain the backtraces of workers in long polls.
    pub(crate) has_backtraces: bool,
    /// The number of workers, at least one.
    pub(crate) workers: usize,
    /// The seed of the workers' random numbers; random by default.
    pub(crate) seed: Option<u64>,
    /// The number of polls between two checks of the global queue; adapts to the polls by default.
    pub(crate) queue_interval: Option<u32>,
    /// The order in which a worker polls its tasks.
    pub(crate) order: TaskOrder,
    /// Returns the name of a thread, from the index of its worker.
    pub(crate) thread_name: Box<dyn Fn(usize) -> String + Send + Sync>,
    /// The stack size of each thread in bytes; that of the platform by default.
    pub(crate) stack_size: Option<usize>,
    /// The most threads in addition to those of the workers. They replace workers whose threads
    /// block in joins.
    pub(crate) spare_threads: usize,
    /// The action for tasks that wait although no waker for them exists.
    pub(crate) orphans: OrphanReporter,
    /// The hooks of the user.
    pub(crate) hooks: Option<Box<Hooks>>,
    /// Called first on each worker's thread, where its scheduler is the current one.
    pub(crate) on_start: Option<Hook>,
    /// Called last on each worker's thread.
    pub(crate) on_stop: Option<Hook>,
}

impl Config {
    /// Returns the default configuration for `workers` workers.
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            name: None,
            secret_types: Vec::new(),
            has_backtraces: false,
            workers: workers.max(1),
            seed: None,
            queue_interval: None,
            order: TaskOrder::NewestFirst,
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
