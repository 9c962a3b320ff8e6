//! The test suite of stores. Each function tests one guarantee of
//! [`Store`](crate::store::Store).
//!
//! A test of a store implements [`Fixture`], and calls the suite by one macro:
//!
//! ```
//! use volt_durable::conformance::Fixture;
//! use volt_durable::store::MemoryStore;
//!
//! struct InMemory;
//!
//! impl Fixture for InMemory {
//!     type Store = MemoryStore;
//!
//!     async fn open(&self) -> MemoryStore {
//!         MemoryStore::new()
//!     }
//! }
//!
//! volt_durable::conformance_tests!(InMemory, futures_lite::future::block_on);
//! # fn main() {}
//! ```
//!
//! The macro expands to one `#[test]` function for each function of the suite. Its first argument
//! is an expression of the fixture, the second a function that runs a future to its end.
//!
//! [`conformance_transaction_tests`](crate::conformance_transaction_tests) has the tests of the
//! transactions of steps, for stores that have them.
//!
//! The suite needs no clock of its own: leases and timers either expire after some milliseconds, or
//! after an hour.

mod fixture;
mod suite_macro;
mod starts;
mod claims;
mod leases;
mod saves;
mod attempts;
mod messages;
mod timers;
mod operators;
mod children;
mod transactions;
mod simulation;

pub use attempts::*;
pub use children::*;
pub use claims::*;
pub use fixture::Fixture;
pub use leases::*;
pub use messages::*;
pub use operators::*;
pub use saves::*;
pub use simulation::*;
pub use starts::*;
pub use timers::*;
pub use transactions::*;
