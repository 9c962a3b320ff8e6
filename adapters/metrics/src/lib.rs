//! The statistics of a volt runtime for the `metrics` crate.
//!
//! [`Meters`] has a meter for each figure of [`Stats`](volt::runtime::Stats), and [`report`]
//! records them periodically. The values go to the installed recorder; without one nothing happens.
//!
//! | name | kind | labels | what |
//! | --- | --- | --- | --- |
//! | `volt_tasks_spawned_total` | counter | | tasks that were spawned |
//! | `volt_tasks_alive` | gauge | | tasks that are not complete |
//! | `volt_tasks_orphaned_total` | counter | | orphaned tasks: found waiting without a waker |
//! | `volt_polls_total` | counter | | queue entries that were run, by workers and other threads |
//! | `volt_poll_seconds_bucket` | counter | `le` | polls that took at most `le` seconds: a cumulative histogram of [`PollTimes`](volt::runtime::PollTimes) |
//! | `volt_global_queue_depth` | gauge | | tasks that wait in the global queue |
//! | `volt_workers_sleeping` | gauge | | workers that sleep |
//! | `volt_workers_searching` | gauge | | workers that look for work in the queues of others |
//! | `volt_worker_polls_total` | counter | `worker` | queue entries that it has run |
//! | `volt_worker_spawns_total` | counter | `worker` | tasks that its tasks have spawned |
//! | `volt_worker_steals_total` | counter | `worker` | thefts from other workers |
//! | `volt_worker_parks_total` | counter | `worker` | times it went to sleep |
//! | `volt_worker_overflows_total` | counter | `worker` | times its queue was full |
//! | `volt_worker_busy_seconds` | gauge | `worker` | how long it was awake since the start |
//! | `volt_worker_queue_depth` | gauge | `worker` | tasks that wait in its own queues |
//!
//! # Examples
//!
//! ```
//! use std::time::Duration;
//!
//! volt::block_on(async {
//!     let handle = volt::Handle::current();
//!     let reports = volt::spawn(volt_metrics::report(&handle, Duration::from_secs(10)));
//!     // The program goes on.
//!     reports.cancel();
//! });
//! ```
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

mod meters;
mod report;

pub use self::meters::Meters;
pub use self::report::report;
