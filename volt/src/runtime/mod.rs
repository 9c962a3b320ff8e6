//! The runtime: a scheduler, a driver and a pool of threads for blocking jobs, under one handle.
//!
//! ```text
//!   Builder ──build──► Runtime ──owns──► threads of the workers
//!                         │
//!                      Handle ──► scheduler::SchedulerHandle ──► workers, registry, driver
//!                         │
//!                         └─────► BlockingPool
//! ```
//!
//! [`Runtime::new`] starts a runtime with the default settings, and a [`Builder`] one with others.
//! [`Runtime::block_on`] runs the main future of a program, which can [`spawn`](spawn()) tasks. A
//! [`Group`] owns several tasks, [`spawn_blocking`] runs closures that would block a worker, and
//! [`Handle::dump`] returns the state of each task.

mod pool;
mod tokio_context;
mod handle;
mod runtime_id;
pub(crate) mod context;
mod dump;
mod blocking;
#[cfg(feature = "inspect")]
mod inspect_handle;
mod attached;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type it defines"
)]
mod runtime;
mod local_runtime;
mod builder;
mod spawn;
mod task_builder;
#[doc(hidden)]
pub mod entry;

#[cfg(all(test, shuttle))]
mod shuttle_tests;
#[cfg(all(test, not(shuttle)))]
mod settings_tests;

pub use self::attached::Attached;
#[cfg(all(feature = "fs", not(all(test, shuttle))))]
pub(crate) use self::blocking::PushedEntries;
pub(crate) use self::blocking::spawn_abandonable;
#[cfg(not(all(test, shuttle)))]
pub(crate) use self::blocking::{JobQueue, Urgency};
pub use self::blocking::{JobsOnDrop, block_in_place, spawn_blocking, spawn_blocking_mandatory};
pub use self::builder::{Builder, OrphanPolicy};
pub use self::context::EnterGuard;
#[cfg(all(feature = "signal", unix))]
pub use self::dump::DumpOnSignal;
pub use self::dump::{
    BlockedThread, DiffJson, Dump, DumpDiff, DumpJson, DumpSummary, Finding, FindingKind,
    FindingLimits, GroupChange, Place, PollingThread, Severity, SocketWait, SpawnCount, StuckCause,
    StuckReport, TaskGroup, ThreadActivity, TreeNode,
};
#[cfg(feature = "inspect")]
pub use self::dump::{PollLimits, PollReport, UnreachedReason, UnreachedTask};
pub use self::handle::Handle;
pub use self::local_runtime::{LocalRuntime, spawn_local};
pub use self::runtime::Runtime;
pub use self::runtime_id::RuntimeId;
pub use self::spawn::{Current, Group, block_on, spawn};
pub use self::task_builder::TaskBuilder;
#[cfg(feature = "inspect")]
pub use crate::inspect::{
    InspectAddress, InspectEndpoint, LibraryPage, LibraryRequest, add_inspect_page,
};
pub use crate::scheduler::{PollTimes, SlowPoll, Stats, WorkerStats};
