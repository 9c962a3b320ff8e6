//! Public samples of workflow engines, as machines that are stored at each await.
//!
//! `book/src/workflow-samples.md` lists the samples with their sources. Each test runs a function
//! without a driver, from each of its snapshots, and from each snapshot again in the middle of the
//! step behind it.
#![forbid(unsafe_code)]

#[path = "durable_samples/world.rs"]
mod world;
#[path = "durable_samples/durable.rs"]
mod durable;
#[path = "durable_samples/agents.rs"]
mod agents;
#[path = "durable_samples/approvals.rs"]
mod approvals;
#[path = "durable_samples/entities.rs"]
mod entities;
#[path = "durable_samples/fan_out.rs"]
mod fan_out;
#[path = "durable_samples/orders.rs"]
mod orders;
#[path = "durable_samples/sagas.rs"]
mod sagas;
#[path = "durable_samples/timers.rs"]
mod timers;
