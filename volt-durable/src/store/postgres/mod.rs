//! The store in PostgreSQL.
//!
//! - `postgres_store` is the store. Each method sends an operation to the thread of the connection.
//! - `connection_thread` is that thread, and `connection` its connection, which is opened again
//!   after it was lost. `session` is an open one, and `job` an operation.
//! - `schema` creates the tables.
//! - `listener` has the changes that workers wait for, and a connection that listens to those of
//!   other processes.
//! - `call_queue` has the saves and the starts that wait for the connection. All that wait of one
//!   kind are one statement.
//! - `transactions` has the transactions of steps, and their connections.
//! - `sql` has the operations with their SQL.
//!
//! # Notifications
//!
//! A statement after which a machine can be claimed, or has ended, calls `pg_notify` in its
//! transaction. The notification is a hint: a worker that misses one claims after its poll
//! interval. Each store listens on a second connection, and ignores the notifications of its first
//! one.
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
//!
//! # Saves of running machines
//!
//! Most saves are those before a step. They change no column of an index and none of an index's
//! condition, so PostgreSQL writes no index entries (a heap-only update). `changed` is therefore in
//! no index: the generated columns `ready` and `ended` are in its place.

mod columns;
mod session;
mod schema;
mod listener;
mod job;
mod connection;
mod connection_thread;
mod sql;
mod call_queue;
mod transactions;
mod postgres_store;

pub use postgres_store::PostgresStore;
pub use transactions::PostgresTransaction;
