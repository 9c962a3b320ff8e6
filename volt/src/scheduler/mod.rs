//! The scheduler: workers, their queues, and who wakes whom.
//!
//! ```text
//!   spawn, wake from outside ---> Injector                        Registry: all living tasks
//!                                    | batches
//!   +---------------- worker ---------------------------+
//!   |  LIFO slot    ring of 256    batch buffer         | <--- thieves: half a ring,
//!   |      \            |             /                 |      half a buffer, a stalled slot
//!   |       +-----------+------------+                  |
//!   |                   v                               |
//!   |               Runnable::run                       |      IdleSet: who sleeps, who searches
//!   +---------------------------------------------------+      Parker: thread, or driver
//! ```
//!
//! - A worker that wakes or spawns a task puts it into its own LIFO slot; what that displaces
//!   goes to its ring. Anybody else, a worker of another scheduler too, uses the injector.
//! - The order in which a worker monitor_rounds for tasks stands in `core.rs` and `search.rs`; how
//!   it goes to sleep, and why no wake-up is lost, in `idle.rs`.
//! - Nobody sleeps with a timeout, and nobody spins: an idle scheduler makes no system call.
//! - `Core` is the worker itself; a thread only lends it a stack.

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
mod threads;
mod blocking;
#[cfg(not(loom))]
mod local;

pub(crate) use self::blocking::{BlockKind, block_worker};
pub(crate) use self::config::Config;
#[cfg(not(loom))]
pub(crate) use self::local::{LocalWorker, is_pinned_to_this_thread};
pub(crate) use self::observe::{Hooks, OrphanHook, OrphanReporter};
pub use self::observe::{Stats, WorkerStats};
pub(crate) use self::scheduler_handle::SchedulerHandle;
pub(crate) use self::threads::{Threads, start};

#[cfg(all(test, not(loom)))]
mod tests;
