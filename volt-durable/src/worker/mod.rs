//! The worker: claims machines, runs them, and saves their snapshots.
//!
//! - `suspect_place` limits the machines in memory that may end the process.
//! - `step_limits` limits the machines that run in one state at the same time.
//! - `settings` has the durations and limits of a worker.
//! - `migration` changes snapshots of older builds.
//! - `turn` polls a machine until there is something to store.
//! - `running` runs one claimed machine to the end of its claim.
//! - `claim_loop` waits for machines that can run, and claims them.
//! - `retention` deletes the machines that ended a time ago.
//! - `machine_set` has the running machines, renews their leases, and drops machines whose claim
//!   has ended.
//! - `worker` is the public type.
//!
//! A worker is one future. It has no task and no thread of its own, so it runs on any runtime.

mod suspect_place;
mod step_limits;
mod settings;
mod migration;
mod turn;
mod running;
mod claim_loop;
mod retention;
mod machine_set;
#[expect(clippy::module_inception, reason = "the file is named for its type")]
mod worker;

pub use worker::Worker;
