//! The threads of blocking jobs.
//!
//! `pool_jobs` has the queue and the jobs that run, without a lock and a thread. `blocking_pool` adds
//! both, and the end of the runtime. `pool_waits` finds a wait of two pools for each other.

mod pool_waits;
mod pool_settings;
mod pool_jobs;
mod blocking_pool;

pub(super) use self::blocking_pool::{BlockingPool, Deadlines, PoolDeadlock};
pub(super) use self::pool_jobs::OnShutdown;
pub(super) use self::pool_settings::PoolSettings;
