//! Blocking: threads that wait in `block_on` and in joins, and closures that run on the pool.
//!
//! `thread_parker` puts a thread to sleep; `block_on`, `block_in_place` and `blocking_join` use it.
//! `foreign_thread` enters the runtime of a task that a thread outside of it joins.
//! `spawn_blocking` submits closures to the [pool](super::pool); `job_queue` runs them in order;
//! `jobs_on_drop` waits for them at shutdown.

mod thread_parker;
mod block_in_place;
mod block_on;
mod foreign_thread;
mod blocking_join;
mod spawn_blocking;
#[cfg(not(all(test, shuttle)))]
mod job_queue;
mod jobs_on_drop;

pub use self::block_in_place::block_in_place;
pub(super) use self::block_on::{panic_in_fork, panic_on_worker};
pub(super) use self::foreign_thread::ForeignRuntime;
#[cfg(all(feature = "fs", not(all(test, shuttle))))]
pub(crate) use self::job_queue::PushedEntries;
#[cfg(not(all(test, shuttle)))]
pub(crate) use self::job_queue::{JobQueue, Urgency};
pub use self::jobs_on_drop::JobsOnDrop;
pub(crate) use self::spawn_blocking::spawn_abandonable;
pub use self::spawn_blocking::{spawn_blocking, spawn_blocking_mandatory};
