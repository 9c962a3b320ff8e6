//! Tasks: futures that a scheduler runs.

mod id;
mod error;
mod snapshot;
mod outcome;
mod state;
mod join_waker;
mod header;
mod held;
mod runnable;
mod inspect;
mod schedule;
mod task_ref;
mod waker;
mod context;
mod budget;
mod cell;
mod harness;
mod joiner;
mod join;
mod spawn;
mod owned;
mod shield;
mod yield_now;

pub(crate) use self::budget::{RestoreOnPending, poll_proceed};
pub(crate) use self::context::set_clock;
pub use self::error::JoinError;
pub use self::id::TaskId;
pub use self::inspect::TaskInfo;
pub use self::join::{AbortHandle, JoinHandle};
pub(crate) use self::owned::{Closed, Registry};
pub use self::runnable::{Ran, Runnable};
pub(crate) use self::schedule::{Metadata, Named, Orphan, Schedule};
pub use self::shield::{Shield, Shielded, shield, shielded};
pub use self::snapshot::Lifecycle;
pub use self::spawn::id;
pub(crate) use self::spawn::new_task;
pub(crate) use self::task_ref::TaskRef;
pub use self::yield_now::{YieldNow, yield_now};

#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(all(test, loom))]
mod models;
