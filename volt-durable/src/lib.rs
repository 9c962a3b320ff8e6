//! Durable async functions: state machines that are stored at each step, and resumed by any worker.
//!
//! - [`Worker`] claims machines of a store, runs them, and saves their snapshots.
//! - [`Client`] starts machines, sends messages to them, and waits for their outcomes. Operators
//!   list machines with it, retry them and cancel them. A [`Secret`] is a value that lists do not
//!   show.
//! - [`sleep`](fn@sleep), [`sleep_until`](fn@sleep_until), [`signal`](fn@signal) and
//!   [`child`](fn@child) are the futures that a machine awaits outside of steps, and
//!   [`timeout`](fn@timeout), [`race`](fn@race), [`join`](fn@join), [`join_all`](fn@join_all) and
//!   [`cancellable`](fn@cancellable) combine them. The machine is not in memory while it waits for
//!   them. [`now`] is the time of the store's clock.
//! - A [`Res`] is a value of the process, such as a pool, that the worker provides to its machines.
//! - A step with `#[step(tx)]` writes in a transaction of the store, which is committed with the
//!   next snapshot. [`volt::machine::transaction`] returns its handle, for example a
//!   [`MemoryTransaction`](store::MemoryTransaction).
//! - [`store`] has the trait [`Store`](store::Store), the values that it exchanges, and the stores:
//!   `SqliteStore` in a file (feature `sqlite`, a default), `PostgresStore` (feature `postgres`),
//!   and [`MemoryStore`](store::MemoryStore) for tests.
//! - [`Schema`] describes the states and values of stored machines. A test that compares it with a
//!   file finds changes of the code with which stored machines do not load.
//! - `show_machines` (feature `inspect`) adds the machines to volt's inspection server.
//! - `conformance` (feature `conformance`) is the test suite that every store passes.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

mod machine_id;
mod error;
mod snapshot_text;
pub mod store;
#[cfg(feature = "conformance")]
pub mod conformance;
mod machine;
mod schema;
mod resources;
mod leaves;
mod client;
mod operations;
#[cfg(feature = "inspect")]
mod inspection;
mod worker;

pub use client::Client;
pub use error::{Error, Result};
#[cfg(feature = "inspect")]
pub use inspection::show_machines;
pub use leaves::{
    Cancellable, Cancelled, Child, ChildError, Join, JoinAll, Race, Raced, Signal, SignalWithin,
    Sleep, Timeout, cancellable, child, join, join_all, now, race, signal, sleep, sleep_until,
    timeout,
};
pub use machine::Durable;
pub use operations::{Page, Secret};
#[cfg(feature = "postgres")]
pub use postgres;
pub use resources::Res;
#[cfg(feature = "sqlite")]
pub use rusqlite;
pub use schema::{Change, Effect, Schema};
pub use worker::Worker;
