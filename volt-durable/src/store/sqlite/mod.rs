//! The store in a SQLite file.
//!
//! - `sqlite_schema` has the tables, and the migrations of older files.
//! - `database_thread` has the thread with the connection. It commits the operations that arrive
//!   together in one transaction, so many machines share one write to the disk.
//! - `savepoint` has the parts of a transaction that can fail alone.
//! - `sqlite_columns` converts between columns and the values of the trait.
//! - `claim_queries`, `save_queries`, `message_queries`, `family_queries` and `list_queries` are
//!   the operations.
//! - `sqlite_transaction` has the transactions of steps, on the same thread.
//! - `sqlite_store` is the store.
//!
//! The column `ready` is the time from which a machine can be claimed, apart from its lease: the
//! time of the last change for a runnable machine, and the time of the timer for one that waits. A
//! message makes the machine that waits for it runnable.

mod sqlite_schema;
mod sqlite_columns;
mod message_queries;
mod family_queries;
mod claim_queries;
mod save_queries;
mod list_queries;
mod savepoint;
mod sqlite_transaction;
mod database_thread;
mod sqlite_store;

pub use sqlite_store::SqliteStore;
pub use sqlite_transaction::SqliteTransaction;
