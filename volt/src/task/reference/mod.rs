//! Counted references to a task: a raw one, the entry of a run queue, and wakers.
//!
//! [`RawTask`] performs the steps that the results of the state word require. The other types
//! here own or borrow one, and are safe to use.

#[cfg(any(feature = "inspect", all(test, loom)))]
#[cfg_attr(loom, path = "clone_recorder_loom.rs")]
mod clone_recorder;
mod join_waker;
mod header;
mod raw_task;
#[cfg_attr(not(feature = "tracing"), path = "waker_events_disabled.rs")]
mod waker_events;
mod waker;
#[cfg(not(loom))]
mod canceller;
mod runnable;

#[cfg(not(loom))]
pub(crate) use self::canceller::{canceller, task_id};
#[cfg(any(feature = "inspect", all(test, loom)))]
pub(crate) use self::clone_recorder::CloneTrace;
#[cfg(all(feature = "inspect", not(loom)))]
pub(in crate::task) use self::clone_recorder::is_recording;
#[cfg(all(feature = "inspect", not(loom)))]
pub(in crate::task) use self::clone_recorder::record;
#[cfg(any(feature = "inspect", all(test, loom)))]
pub(in crate::task) use self::clone_recorder::record_clones;
#[cfg(not(any(loom, all(test, shuttle))))]
pub(in crate::task) use self::header::HeaderLayout;
pub(in crate::task) use self::header::{
    Description, Erased, Header, Polled, TaskLayout, Vtable, WakerTable,
};
#[cfg(any(feature = "inspect", all(test, loom)))]
pub(in crate::task) use self::raw_task::RawRunOutcome;
pub(in crate::task) use self::raw_task::RawTask;
pub use self::runnable::{RunOutcome, Runnable};
pub(in crate::task) use self::waker::BorrowedWaker;
#[cfg(not(loom))]
pub(in crate::task) use self::waker::is_of_tasks;
