//! The store in PostgreSQL.
//!
//! - `postgres_store` is the store. Each method sends an operation to the thread of the connection.
//! - `connection_thread` is that thread, and `connection` its connection, which is opened again
//!   after it was lost. `session` is an open one, and `job` an operation.
//! - `schema` creates the tables.
//! - `save_queue` has the saves that wait for the connection, which are one statement.
//! - `sql` has the operations with their SQL.
//!
//! # Concurrency
//!
//! All transactions are READ COMMITTED. An operation locks the row of the machine before it reads
//! or writes messages to the machine. So a save that waits for a signal and a message for that
//! signal have an order, and the later one sees the earlier one.
//!
//! `due` is the time at which a worker can claim a machine: the end of the lease, the time of the
//! timer, or the time of the change that made it runnable. It is null if only an operation can
//! change that. One index on it serves claims and the next wake-up.

mod columns;
mod session;
mod schema;
mod job;
mod connection;
mod connection_thread;
mod sql;
mod save_queue;
mod postgres_store;

pub use postgres_store::PostgresStore;
