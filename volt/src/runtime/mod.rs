//! The runtime: a scheduler, a driver and a pool for what blocks, under one handle.
//!
//! ```text
//!   Builder ──build──► Runtime ──owns──► the workers' threads
//!                         │
//!                      Handle ──► scheduler::Handle ──► workers, registry, driver
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
mod blocked;
mod circles;
mod dump;
#[cfg(feature = "serde")]
mod dump_as_data;
mod tokio_context;
mod handle;
mod runtime_id;
#[cfg(all(feature = "signal", unix))]
mod dump_on_signal;
pub(crate) mod context;
mod thread_parker;
mod block_on;
mod in_place;
mod enter;
mod attached;
mod spawn_blocking;
#[cfg(not(all(test, shuttle)))]
mod job_queue;
mod blocking_join;
mod jobs_on_drop;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type it defines"
)]
mod runtime;
mod orphan_policy;
mod local_runtime;
mod builder;
mod thread_settings;
mod runtime_name;
mod tokio_settings;
mod builder_hooks;
mod spawn;
mod task_builder;
#[doc(hidden)]
pub mod entry;

#[cfg(all(test, shuttle))]
mod runs;
#[cfg(all(test, not(shuttle)))]
mod settings_tests;

pub use self::attached::Attached;
pub use self::blocked::BlockedThread;
pub use self::builder::Builder;
pub use self::context::EnterGuard;
pub use self::dump::Dump;
#[cfg(all(feature = "signal", unix))]
pub use self::dump_on_signal::DumpOnSignal;
pub use self::handle::Handle;
pub use self::in_place::block_in_place;
#[cfg(not(all(test, shuttle)))]
pub(crate) use self::job_queue::{JobQueue, Urgency};
pub use self::jobs_on_drop::JobsOnDrop;
pub use self::local_runtime::{LocalRuntime, spawn_local};
pub use self::orphan_policy::OrphanPolicy;
pub use self::runtime::Runtime;
pub use self::runtime_id::RuntimeId;
pub use self::spawn::{Current, Group, block_on, spawn};
pub(crate) use self::spawn_blocking::spawn_question;
pub use self::spawn_blocking::{spawn_blocking, spawn_blocking_mandatory};
pub use self::task_builder::TaskBuilder;
pub use crate::scheduler::{Stats, WorkerStats};
