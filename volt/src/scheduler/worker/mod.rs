//! One worker: its core, and the thread that runs it.

mod global_turn;
mod poll_timer;
mod core;
mod retire;
mod search;
mod poll_watch;
mod worker_thread;
mod current;
mod watched_polls;
mod run;
mod foreign_poll;

pub(super) use self::core::Core;
#[cfg(all(test, not(loom)))]
pub(super) use self::core::Role;
pub(super) use self::current::{enter_worker, is_off_worker, with_core_of, with_worker};
pub(crate) use self::foreign_poll::ForeignPollRecord;
#[cfg(not(loom))]
pub(super) use self::foreign_poll::foreign_polls;
pub(super) use self::worker_thread::Worker;
