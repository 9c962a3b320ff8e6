//! The scheduler: workers, their queues, and the decision which worker to wake.
//!
//! ```text
//!   spawn, wake from outside ---> Injector                        Registry: all live tasks
//!                                    | batches
//!   +---------------- worker ---------------------------+
//!   |  LIFO slot    ring of 256    batch buffer         | <--- thieves: half a ring,
//!   |      \            |             /                 |      half a buffer, a stalled slot
//!   |       +-----------+------------+                  |
//!   |                   v                               |
//!   |               Runnable::run                       |      IdleSet: sleepers and searchers
//!   +---------------------------------------------------+      Parker: thread, driver or standby
//! ```
//!
//! - A worker that wakes or spawns a task puts it into its own LIFO slot. A task that this
//!   displaces goes to its ring. All other threads, workers of another scheduler too, use the
//!   injector.
//! - `worker/core.rs` and `worker/search.rs` have the order in which a worker looks for tasks.
//!   `idle/idle_set.rs` has the protocol of going to sleep, and why no wake-up is lost.
//! - A worker sleeps without a timeout and does not spin: an idle scheduler makes no system call.
//! - `Core` is the state of a worker, and moves between threads.

mod queue;
mod idle;
mod observe;
mod shutdown;
mod config;
mod batched_arc;
mod shared;
mod stall_monitor;
mod quiescent_workers;
mod worker;
mod scheduler_handle;
#[cfg(not(loom))]
mod shutdown_waits;
#[cfg(all(feature = "inspect", not(loom)))]
mod inspection_job;
mod threads;
mod blocking;
#[cfg(not(loom))]
mod local;

pub(crate) use self::blocking::{BlockKind, block_worker};
pub(crate) use self::config::Config;
pub(crate) use self::idle::system_thread_id;
#[cfg(all(feature = "inspect", not(loom)))]
pub(crate) use self::inspection_job::{JobReport, PolledTask};
#[cfg(not(loom))]
pub(crate) use self::local::{BlockingFuture, LocalWorker, is_pinned_to_this_thread};
#[cfg(feature = "inspect")]
pub(crate) use self::observe::install_backtrace_handler;
pub(crate) use self::observe::{
    Hooks, MAX_SLOW_POLLS, OrphanHook, OrphanReporter, PollTiming, WorkerProgress,
};
pub use self::observe::{PollTimes, SlowPoll, Stats, WorkerStats};
pub(crate) use self::scheduler_handle::SchedulerHandle;
pub(crate) use self::threads::{Threads, start};
pub(crate) use self::worker::ForeignPollRecord;

#[cfg(all(test, not(loom)))]
mod tests;
