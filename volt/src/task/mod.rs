//! Tasks: futures that a scheduler runs.
//!
//! [`volt::spawn`](crate::spawn) creates a task from a future, and returns its [`JoinHandle`].
//!
//! | to | use |
//! | --- | --- |
//! | await the output of a task, or cancel it | [`JoinHandle`], [`JoinError`] |
//! | cancel a task without its handle | [`AbortHandle`], [`CancelOnDrop`] |
//! | protect a section from cancellation | [`shield`](fn@shield), [`shielded()`] |
//! | yield to other tasks, or control the budget of a poll | [`yield_now()`], [`consume_budget()`], [`cooperative()`], [`unconstrained()`] |
//! | store a value for each task | [`scope`](fn@scope), [`LocalKey`] |
//! | identify the current task, inspect other tasks | [`id`](fn@id), [`TaskInfo`], [`inspected()`] |
//! | run tasks on another executor | [`raw`] |

mod id;
mod error;
mod word;
mod reference;
mod timestamp;
mod current_task;
mod coop;
mod inspect;
mod orphan;
mod memory;
mod handle;
#[cfg(not(loom))]
mod blocking;
mod new_task;
#[cfg(not(loom))]
mod local_task;
#[cfg(not(loom))]
pub mod raw;
mod registry;
mod shield;
mod yielding;
mod locals;

#[cfg(not(loom))]
pub(crate) use self::blocking::{
    InlinePollGuard, JoinFrame, blocked_tasks, dependents_of_this_thread, inline_polled_tasks,
    is_half_of_stack_left, wake_joiners,
};
#[cfg(all(feature = "tokio", not(loom)))]
pub(crate) use self::coop::set_tokio_context;
pub use self::coop::{
    ConsumeBudget, Cooperative, Unconstrained, consume_budget, cooperative, has_budget_remaining,
    unconstrained,
};
pub(crate) use self::coop::{
    consume, poll_has_budget, poll_proceed, with_full_budget, with_unlimited_budget,
};
#[cfg(not(loom))]
pub(crate) use self::coop::{
    outside_of_polls, poll_begun, poll_leaf, poll_spent, with_some_budget,
};
#[cfg(not(loom))]
pub(crate) use self::current_task::clock;
pub(crate) use self::current_task::{forget_clock, set_clock};
pub use self::error::JoinError;
pub use self::handle::{AbortHandle, CancelOnDrop, JoinHandle};
pub(crate) use self::handle::{JoinTarget, TaskRef};
pub use self::id::{ParseTaskIdError, TaskId};
pub(crate) use self::inspect::ErasedFuture;
pub use self::inspect::TaskInfo;
pub(crate) use self::inspect::TreeRange;
#[cfg(feature = "inspect")]
pub(crate) use self::inspect::machine_tables;
#[cfg(all(feature = "inspect", not(loom)))]
pub(crate) use self::inspect::poll_recorded_by;
#[cfg(not(any(loom, all(test, shuttle))))]
pub use self::inspect::{Inspected, inspected};
#[cfg(any(feature = "inspect", all(test, loom)))]
pub(crate) use self::inspect::{InspectionPoll, OrphanPolls, PollRefusal};
#[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
pub(crate) use self::inspect::{last_waker_drop, record_waker_drops};
#[cfg(not(loom))]
pub(crate) use self::local_task::new_local_task;
#[doc(hidden)]
pub use self::locals::TaskLocalStorage as __TaskLocalStorage;
pub use self::locals::{LocalKey, OutOfScope, Scope, scope};
#[cfg(feature = "tracing")]
pub(crate) use self::memory::delegate_metadata;
#[cfg(not(loom))]
pub(crate) use self::memory::{BoxedMetadata, boxed_if_large, is_large};
pub(crate) use self::memory::{Metadata, NamedMetadata, Schedule};
pub use self::new_task::id;
pub(crate) use self::new_task::new_task;
#[cfg(not(loom))]
pub(crate) use self::new_task::runtime_id_of_current;
pub use self::orphan::Orphan;
pub(crate) use self::orphan::OrphanAction;
#[cfg(all(feature = "inspect", not(loom)))]
pub(crate) use self::reference::CloneTrace;
pub use self::reference::{RunOutcome, Runnable};
#[cfg(not(loom))]
pub(crate) use self::reference::{canceller, task_id};
pub(crate) use self::registry::{FreeListShard, LocalFreeList, Registry};
pub use self::shield::{Shield, Shielded, shield, shielded};
pub(crate) use self::timestamp::{coarse_timestamp, time_between};
pub use self::word::Lifecycle;
pub use self::yielding::{YieldNow, yield_now};

#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(all(test, loom))]
mod models;
