//! The store in memory, for tests.
//!
//! - `memory_clock` is its clock, which may be paused.
//! - `memory_row` is a machine with its messages, and the rules of claims.
//! - `table` has all machines, and the operations on them.
//! - `memory_family` has the effects of saves and ends on parents and children.
//! - `memory_transaction` has the writes of a step until its commit.
//! - `memory_store` puts a lock around the table, and notifies workers and clients of changes.
//! - `crashing_store` is a store whose worker crashes at a save.

mod memory_clock;
mod memory_row;
mod table;
mod memory_family;
mod memory_transaction;
mod memory_store;
mod crashing_store;

pub use crashing_store::{Crash, CrashingStore};
pub use memory_store::MemoryStore;
pub use memory_transaction::MemoryTransaction;
