//! The runtime: a scheduler, a driver and a pool for what blocks, under one handle.
//!
//! ```text
//!   Builder ──build──► Runtime ──owns──► the workers' threads
//!                         │
//!                      Handle ──► scheduler::SchedulerHandle ──► workers, registry, driver
//!                         │
//!                         └─────► BlockingPool
//! ```
//!
//! Start with [`Runtime::new`], or with a [`Builder`] to choose; run a program's first future with
//! [`Runtime::block_on`], and from within it [`spawn`] tasks. A [`Group`] holds tasks together,
//! [`spawn_blocking`] takes what would block a worker, and [`Handle::dump`] tells where each task
//! stands.
//!
//! `context` answers "which runtime is this thread in?" for everything above.

mod pool;
mod tokio_context;
mod handle;
mod runtime_id;
pub(crate) mod context;
mod dump;
mod blocking;
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
pub(crate) use self::blocking::spawn_abandonable;
#[cfg(not(all(test, shuttle)))]
pub(crate) use self::blocking::{JobQueue, Urgency};
pub use self::blocking::{JobsOnDrop, block_in_place, spawn_blocking, spawn_blocking_mandatory};
pub use self::builder::{Builder, OrphanPolicy};
pub use self::context::EnterGuard;
#[cfg(all(feature = "signal", unix))]
pub use self::dump::DumpOnSignal;
pub use self::dump::{BlockedThread, Dump};
pub use self::handle::Handle;
pub use self::local_runtime::{LocalRuntime, spawn_local};
pub use self::runtime::Runtime;
pub use self::runtime_id::RuntimeId;
pub use self::spawn::{Current, Group, block_on, spawn};
pub use self::task_builder::TaskBuilder;
pub use crate::scheduler::{Stats, WorkerStats};
