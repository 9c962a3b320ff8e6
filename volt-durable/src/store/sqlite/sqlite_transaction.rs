//! `SqliteTransaction`: the transaction of a step on a SQLite file.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use rusqlite::Connection;

use super::save_queries::save;
use super::savepoint::in_savepoint;
use crate::error::{Error, Result};
use crate::store::save::{Lost, Save};
use crate::store::timestamp::Timestamp;
use crate::store::transaction_jobs::{TransactionJob, TransactionJobs, call};

/// Receives the connection, or the error of the begin.
pub(super) type RunInSqlite = Box<dyn FnOnce(Result<&Connection, &str>) + Send>;

/// The transaction of a step on a [`SqliteStore`](super::SqliteStore), which
/// [`transaction`](volt::machine::transaction) returns in a step with `#[step(tx)]`.
///
/// It begins with the first call of [`run`](Self::run), and is committed with the next snapshot.
/// SQLite has one writer, so all other operations on the file wait until then. The step should
/// therefore await nothing else after its first write, and it must not await a
/// [`Client`](crate::Client) of the store. A step that does so ends when the leases of its worker
/// expire.
#[derive(Clone, Debug)]
pub struct SqliteTransaction {
    pub(super) jobs: Arc<TransactionJobs<RunInSqlite>>,
}

impl SqliteTransaction {
    /// Calls a function with the connection, on the thread of the store. If the function returns an
    /// error, its writes are undone; those of earlier calls stay.
    ///
    /// The function may read and write all tables of the file, except for those of the store. It
    /// must not end the transaction.
    ///
    /// # Errors
    ///
    /// Returns the error of the function, or an error if the transaction cannot begin or has ended.
    pub async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let called = self.jobs.call(|result| {
            Box::new(move |connection| {
                let called = call(|| {
                    let connection = connection.map_err(Error::store)?;
                    in_savepoint(connection, operation).map_err(Error::store)
                });
                // The step may have been dropped.
                let _ = result.try_send(called);
            })
        });
        called.await
    }

    /// Undoes all writes of the step. The machine goes on, and later writes are committed.
    pub fn rollback(&self) {
        self.jobs.rollback();
    }
}

/// Runs the jobs of a transaction, until it is committed or undone.
pub(super) fn run_transaction(
    connection: &Connection,
    jobs: &Receiver<TransactionJob<RunInSqlite>>,
) {
    let begun = connection.execute_batch("begin immediate");
    let failure = begun.err().map(|error| error.to_string());
    for job in jobs {
        match job {
            TransactionJob::Run(run) => run(failure.as_deref().map_or(Ok(connection), Err)),
            TransactionJob::Commit(save, result) => {
                let committed = match &failure {
                    None => commit(connection, &save),
                    Some(failure) => Err(Error::store(failure.as_str())),
                };
                undo(connection);
                // The worker may have been dropped.
                let _ = result.try_send(committed);
                return;
            }
        }
    }
    undo(connection);
}

/// Stores a save and commits. If the claim has ended, the transaction stays open.
fn commit(connection: &Connection, next: &Save) -> Result<Option<Lost>> {
    if connection.is_autocommit() {
        return Err(Error::store(
            "the transaction of the step has ended before its commit",
        ));
    }
    let saves = std::slice::from_ref(next);
    let mut lost = save(connection, saves, Timestamp::now()).map_err(Error::store)?;
    if lost.is_empty() {
        connection.execute_batch("commit").map_err(Error::store)?;
    }
    Ok(lost.pop())
}

/// Undoes the transaction, if it is open.
fn undo(connection: &Connection) {
    if !connection.is_autocommit() {
        let _ = connection.execute_batch("rollback");
    }
}
