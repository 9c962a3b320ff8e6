//! Transactions of steps, on connections of their own.
//!
//! - `postgres_transaction` is the handle of a step, and runs the jobs of a transaction.
//! - `transaction_pool` has the connections, each on a thread.

mod postgres_transaction;
mod transaction_pool;

pub use postgres_transaction::PostgresTransaction;
pub(super) use transaction_pool::TransactionPool;
