//! The pool of threads that run blocking jobs.
//!
//! `pool_jobs` has the queue and the running jobs, without locks and threads. `blocking_pool` adds
//! both; `pool_shutdown` ends them, and the `companion_threads` of the runtime. `pool_waits`
//! detects two pools that would wait for each other.

mod pool_waits;
mod pool_settings;
mod pool_jobs;
mod companion_threads;
mod blocking_pool;
mod pool_shutdown;

pub(super) use self::blocking_pool::{BlockingPool, InlineJobGuard, SubmitError};
pub(super) use self::pool_jobs::OnShutdown;
pub(super) use self::pool_settings::PoolSettings;
pub(super) use self::pool_shutdown::Deadlines;
pub(super) use self::pool_waits::PoolDeadlock;
