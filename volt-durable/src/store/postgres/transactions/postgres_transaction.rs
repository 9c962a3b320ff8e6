//! `PostgresTransaction`: the transaction of a step on a PostgreSQL database.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use postgres::{Client, IsolationLevel, Transaction};

use crate::error::{Error, Result};
use crate::store::postgres::session::{is_conflict, is_read_only};
use crate::store::postgres::sql;
use crate::store::save::{Lost, Save};
use crate::store::transaction_jobs::{TransactionJob, TransactionJobs, call};

/// Receives the transaction, or the error that has ended it. Returns the error after which the
/// transaction cannot be committed.
pub(in crate::store::postgres) type RunInPostgres =
    Box<dyn FnOnce(Result<&mut Transaction<'_>, &str>) -> Option<String> + Send>;

/// The transaction of a step on a [`PostgresStore`](crate::store::PostgresStore), which
/// [`transaction`](volt::machine::transaction) returns in a step with `#[step(tx)]`.
///
/// It begins with the first call of [`run`](Self::run), in the isolation level READ COMMITTED, and
/// is committed with the next snapshot. It has a connection of its own. A store has at most eight
/// of them, and further steps wait.
#[derive(Clone, Debug)]
pub struct PostgresTransaction {
    pub(in crate::store::postgres) jobs: Arc<TransactionJobs<RunInPostgres>>,
}

impl PostgresTransaction {
    /// Calls a function with a savepoint of the transaction, on the thread of its connection. If
    /// the function returns an error, its writes are undone; those of earlier calls stay.
    ///
    /// If the database undoes the transaction because of others, for example after a deadlock, the
    /// machine is tried again from the snapshot before the step.
    ///
    /// # Errors
    ///
    /// Returns the error of the function, or an error if the transaction cannot begin or has ended.
    pub async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&mut Transaction<'_>) -> Result<T, postgres::Error> + Send + 'static,
    ) -> Result<T> {
        let called = self.jobs.call(|result| {
            Box::new(move |transaction| {
                let mut conflict = None;
                let called = call(|| {
                    let transaction = transaction.map_err(Error::store)?;
                    in_savepoint(transaction, operation).map_err(|error| {
                        let is_refused = is_conflict(&error) || is_read_only(&error);
                        conflict = is_refused.then(|| error.to_string());
                        Error::store(error)
                    })
                });
                // The step may have been dropped.
                let _ = result.try_send(called);
                conflict
            })
        });
        called.await
    }

    /// Undoes all writes of the step. The machine goes on, and later writes are committed.
    pub fn rollback(&self) {
        self.jobs.rollback();
    }
}

/// Calls a function, and undoes its changes if it fails.
fn in_savepoint<T>(
    transaction: &mut Transaction<'_>,
    call: impl FnOnce(&mut Transaction<'_>) -> Result<T, postgres::Error>,
) -> Result<T, postgres::Error> {
    let mut savepoint = transaction.transaction()?;
    let called = call(&mut savepoint)?;
    savepoint.commit()?;
    Ok(called)
}

/// Runs the jobs of a transaction, until it is committed or undone. Returns `false` if the server
/// has refused or undone it, so that the next one needs a new connection.
pub(super) fn run_transaction(
    client: &mut Client,
    jobs: &Receiver<TransactionJob<RunInPostgres>>,
) -> bool {
    let begin = client.build_transaction();
    let begin = begin.isolation_level(IsolationLevel::ReadCommitted);
    let mut transaction = match begin.start() {
        Ok(transaction) => transaction,
        Err(error) => {
            fail_jobs(&error.to_string(), jobs);
            return false;
        }
    };
    for job in jobs {
        match job {
            TransactionJob::Run(run) => {
                if let Some(error) = run(Ok(&mut transaction)) {
                    drop(transaction);
                    fail_jobs(&error, jobs);
                    return false;
                }
            }
            TransactionJob::Commit(save, result) => {
                let committed = commit(transaction, &save).map_err(Error::store);
                let is_usable = committed.is_ok();
                // The worker may have been dropped.
                let _ = result.try_send(committed);
                return is_usable;
            }
        }
    }
    true
}

/// Reports an error to the jobs of a transaction that has not begun, or was undone.
pub(super) fn fail_jobs(error: &str, jobs: &Receiver<TransactionJob<RunInPostgres>>) {
    for job in jobs {
        match job {
            TransactionJob::Run(run) => drop(run(Err(error))),
            TransactionJob::Commit(_, result) => {
                let _ = result.try_send(Err(Error::store(error)));
                return;
            }
        }
    }
}

/// Stores a save and commits, or undoes the transaction if the claim has ended.
fn commit(mut transaction: Transaction<'_>, save: &Save) -> Result<Option<Lost>, postgres::Error> {
    let lost = sql::save_in(&mut transaction, save)?;
    if lost.is_some() {
        transaction.rollback()?;
    } else {
        transaction.commit()?;
    }
    Ok(lost)
}
