//! A simulation of workers and senders with random operations, whose results are compared with a
//! model of the store.
//!
//! - `expected_row` is the model of one row: the guarantees of `Store` without time.
//! - `random` chooses the operations. Each seed has its own sequence.
//! - `expected_family` is the model of parents and children.
//! - `simulated_store` is a store with its model. Each operation compares both.
//! - `simulated_workers` has the claims of the workers, which crash, repeat saves, and write after
//!   their claims have ended.
//!
//! No operation waits. A lease expires by a renewal with no duration, and a timer is due at once.

mod random;
mod expected_row;
mod expected_family;
mod simulated_store;
mod simulated_workers;

pub use simulated_workers::{random_operations_have_the_results_of_the_model, simulate};
