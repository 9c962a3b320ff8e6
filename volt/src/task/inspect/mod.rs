//! Inspection of a task from any thread: its state, and the states of the machines in its future.

mod erased_future;
#[cfg(not(any(loom, all(test, shuttle))))]
mod inspected;
mod claim_guard;
mod task_info;
#[cfg(not(any(loom, all(test, shuttle))))]
mod inspecting;

pub(crate) use self::erased_future::Root;
pub(in crate::task) use self::erased_future::{listen, position};
#[cfg(not(any(loom, all(test, shuttle))))]
pub use self::inspecting::{Inspecting, inspected};
pub use self::task_info::TaskInfo;
