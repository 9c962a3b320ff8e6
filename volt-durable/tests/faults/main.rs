//! Faults of disks, processes and stores: each order ends once, and no stored step runs again.

#![cfg(feature = "sqlite")]

#[path = "../orders/mod.rs"]
mod orders;
#[path = "../crashing_steps/mod.rs"]
mod crashing_steps;
#[path = "../many_orders/mod.rs"]
mod many_orders;
mod failing_store;
mod store_errors;
mod many_ends;
mod worker_process;
mod stopped_worker;
mod aborting_machine;
mod full_disk;
mod torn_log;
mod two_builds;
mod sqlite_step_crashes;
mod sqlite_many_orders;

pub(crate) use worker_process::before_effect;
