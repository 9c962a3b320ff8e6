//! Inspection of a task from any thread: its state, and the states of the machines in its future.

mod erased_future;
#[cfg(not(any(loom, all(test, shuttle))))]
mod inspection_map;
#[cfg(any(feature = "inspect", all(test, loom)))]
mod inspection_poll;
#[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
mod waker_drops;
mod claim_guard;
#[cfg(all(feature = "inspect", not(loom)))]
mod recording_waker;
mod task_info;
#[cfg(not(any(loom, all(test, shuttle))))]
mod inspected;

pub(crate) use self::erased_future::ErasedFuture;
#[cfg(not(any(loom, all(test, shuttle))))]
pub(in crate::task) use self::erased_future::TypeTableLayout;
#[cfg(feature = "inspect")]
pub(crate) use self::erased_future::machine_tables;
pub(in crate::task) use self::erased_future::{inspect, install_hook, position};
#[cfg(not(any(loom, all(test, shuttle))))]
pub use self::inspected::{Inspected, inspected};
#[cfg(any(feature = "inspect", all(test, loom)))]
pub(in crate::task) use self::inspection_poll::poll_recorded;
#[cfg(any(feature = "inspect", all(test, loom)))]
pub(crate) use self::inspection_poll::{InspectionPoll, OrphanPolls, PollRefusal};
#[cfg(all(feature = "inspect", not(loom)))]
pub(crate) use self::recording_waker::poll_recorded_by;
pub use self::task_info::TaskInfo;
pub(crate) use self::task_info::TreeRange;
#[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
pub(crate) use self::waker_drops::{last_waker_drop, record_waker_drops};
