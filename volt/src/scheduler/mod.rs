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
//!   |               Runnable::run                       |      Idle: who sleeps, who searches
//!   +---------------------------------------------------+      Parker: thread, or driver
//! ```
//!
//! - A worker that wakes or spawns a task puts it into its own LIFO slot; what that displaces
//!   goes to its ring. Anybody else, a worker of another scheduler too, uses the injector.
//! - The order in which a worker looks for tasks stands in `core.rs` and `search.rs`; how it goes
//!   to sleep, and why no wake-up is lost, in `idle.rs`.
//! - Nobody sleeps with a timeout, and nobody spins: an idle scheduler makes no system call.
//! - `Core` is the worker itself; a thread only lends it a stack.

mod ring;
mod lifo;
mod queue_interval;
mod brief_sleeps;
mod park;
mod driver_slot;
mod standby;
mod idle;
mod inject;
mod hurry;
mod stats;
mod orphans;
mod thread_set;
mod ending;
mod hooks;
#[cfg_attr(not(feature = "tracing"), path = "no_task_span.rs")]
mod task_span;
mod config;
mod batched_arc;
mod shared;
mod stall_monitor;
mod workers_at_rest;
mod core;
mod retire;
mod search;
mod worker;
mod current;
mod run;
mod foreign_poll;
mod scheduler_handle;
#[cfg(not(loom))]
mod ends;
mod threads;
#[cfg(not(loom))]
mod pinned_here;
#[cfg(not(loom))]
mod local_worker;
mod hand_over;
#[cfg(not(loom))]
mod inline_poll;

pub(crate) use self::config::Config;
pub(crate) use self::hand_over::{Absence, asleep};
pub(crate) use self::hooks::Hooks;
#[cfg(not(loom))]
pub(crate) use self::local_worker::LocalWorker;
pub(crate) use self::orphans::{OrphanHook, Orphans};
#[cfg(not(loom))]
pub(crate) use self::pinned_here::is_pinned_here;
pub(crate) use self::scheduler_handle::Handle;
pub use self::stats::{Stats, WorkerStats};
pub(crate) use self::threads::{Threads, start};

#[cfg(all(test, not(loom)))]
mod tests;
