//! `DatabaseThread`: the thread with the connection.

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use async_channel::{Receiver, bounded};
use rusqlite::Connection;

use super::savepoint::in_savepoint;
use super::sqlite_schema::prepare;
use super::sqlite_transaction::{RunInSqlite, run_transaction};
use crate::error::{Error, Result};
use crate::store::timestamp::Timestamp;
use crate::store::transaction_jobs::TransactionJob;

/// The largest number of operations in one transaction.
const MAX_BATCH: usize = 1_000;

/// An operation within a transaction. It returns the function that reports its result, after the
/// transaction has been committed or has failed.
type Job = Box<dyn FnOnce(&Connection, Timestamp) -> Report + Send>;

/// Receives `None` after a commit, or the text of the error of the transaction.
type Report = Box<dyn FnOnce(Option<&str>)>;

/// The work of the thread.
enum Work {
    Operation(Job),
    /// The jobs of the transaction of a step. Other operations wait until its end.
    Transaction(mpsc::Receiver<TransactionJob<RunInSqlite>>),
}

/// The thread with the connection. It ends with its last clone.
#[derive(Clone, Debug)]
pub(super) struct DatabaseThread {
    work: mpsc::Sender<Work>,
}

impl DatabaseThread {
    /// Opens a file on a new thread.
    pub(super) async fn open(path: PathBuf) -> Result<Self> {
        let (work, received) = mpsc::channel();
        let (opened, is_open) = bounded(1);
        let run = move || {
            let prepared = Connection::open(&path).map_err(Error::store);
            let prepared = prepared.and_then(|mut connection| {
                prepare(&mut connection)?;
                Ok(connection)
            });
            match prepared {
                Ok(connection) => {
                    // The opener may have been dropped.
                    let _ = opened.try_send(Ok(()));
                    run_work(&connection, &received);
                }
                Err(error) => drop(opened.try_send(Err(error))),
            }
        };
        let thread = thread::Builder::new().name("volt-durable-sqlite".into());
        thread.spawn(run).map_err(Error::store)?;
        receive(is_open).await?;
        Ok(Self { work })
    }

    /// Runs an operation on the thread, in a transaction that may contain other operations. An
    /// operation that fails changes nothing, and does not prevent the others.
    ///
    /// The operation also receives the time.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&Connection, Timestamp) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (result, received) = bounded(1);
        let job: Job = Box::new(move |connection, now| {
            let done = in_savepoint(connection, |connection| operation(connection, now));
            Box::new(move |failure| {
                let done = match failure {
                    None => done.map_err(Error::store),
                    Some(failure) => Err(Error::store(failure)),
                };
                // The caller may have been dropped.
                let _ = result.try_send(done);
            })
        });
        self.send(Work::Operation(job))?;
        receive(received).await
    }

    /// Begins the transaction of a step. Other operations wait until the channel of its jobs is
    /// closed, or until it is committed.
    pub(super) fn begin(&self, jobs: mpsc::Receiver<TransactionJob<RunInSqlite>>) -> Result<()> {
        self.send(Work::Transaction(jobs))
    }

    fn send(&self, work: Work) -> Result<()> {
        let sent = self.work.send(work);
        sent.map_err(|_| Error::store("the thread of the database has ended"))
    }
}

/// Receives the only value of a channel.
async fn receive<T>(received: Receiver<Result<T>>) -> Result<T> {
    let value = received.recv().await;
    value.unwrap_or_else(|_| Err(Error::store("the thread of the database has ended")))
}

/// Runs operations and transactions until no store is left.
fn run_work(connection: &Connection, work: &mpsc::Receiver<Work>) {
    let mut next = None;
    while let Some(first) = next.take().or_else(|| work.recv().ok()) {
        match first {
            Work::Transaction(jobs) => run_transaction(connection, &jobs),
            Work::Operation(job) => {
                let mut batch = vec![job];
                next = fill(&mut batch, work);
                run_batch(connection, batch);
            }
        }
    }
}

/// Adds the operations that wait to a batch. Returns the work that ends it, if there is some.
fn fill(batch: &mut Vec<Job>, work: &mpsc::Receiver<Work>) -> Option<Work> {
    while batch.len() < MAX_BATCH {
        match work.try_recv().ok()? {
            Work::Operation(job) => batch.push(job),
            transaction @ Work::Transaction(_) => return Some(transaction),
        }
    }
    None
}

/// Runs operations in one transaction, and reports their results after the commit.
fn run_batch(connection: &Connection, batch: Vec<Job>) {
    let begun = connection.execute_batch("begin immediate");
    let now = Timestamp::now();
    let reports: Vec<Report> = batch.into_iter().map(|job| job(connection, now)).collect();
    let committed = begun.and_then(|()| connection.execute_batch("commit"));
    let failure = committed.err().map(|error| {
        // After some errors SQLite has rolled back by itself.
        if !connection.is_autocommit() {
            let _ = connection.execute_batch("rollback");
        }
        error.to_string()
    });
    for report in reports {
        report(failure.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use futures_lite::future::{block_on, zip};

    use super::DatabaseThread;
    use crate::error::Error;

    async fn in_memory() -> DatabaseThread {
        let opened = DatabaseThread::open(PathBuf::from(":memory:")).await;
        opened.expect("a database")
    }

    async fn insert(thread: &DatabaseThread, key: &'static str) -> Result<usize, Error> {
        let insert = "insert into durable_machine (type, key, state, snapshot, created, changed)
            values ('Order', ?1, 'start', '{}', 0, 0)";
        thread
            .call(move |connection, _| connection.execute(insert, [key]))
            .await
    }

    async fn count(thread: &DatabaseThread) -> i64 {
        let count = "select count(*) from durable_machine";
        let counting =
            thread.call(move |connection, _| connection.query_row(count, [], |row| row.get(0)));
        counting.await.expect("a number")
    }

    #[test]
    fn failed_operation_leaves_the_others() {
        block_on(async {
            let thread = in_memory().await;
            let failing = thread.call(|connection, _| {
                connection.execute("delete from durable_machine", [])?;
                connection.execute("no statement", [])
            });
            let first = insert(&thread, "a");
            let (first, (failed, last)) = zip(first, zip(failing, insert(&thread, "b"))).await;
            assert_eq!((first.ok(), last.ok()), (Some(1), Some(1)));
            assert!(failed.is_err());
            assert_eq!(count(&thread).await, 2);
        });
    }

    #[test]
    fn full_disk_is_an_error_and_passes() {
        block_on(async {
            let thread = in_memory().await;
            let limit = |pages: &'static str| {
                thread.call(move |connection, _| {
                    connection.pragma_update(None, "max_page_count", pages)
                })
            };
            limit("1").await.expect("a limit");
            let long = thread.call(|connection, _| {
                connection.execute(
                    "insert into durable_machine (type, key, state, snapshot, created, changed)
                    values ('Order', 'long', 'start', hex(zeroblob(100000)), 0, 0)",
                    [],
                )
            });
            let (long, short) = zip(long, insert(&thread, "a")).await;
            assert!(long.is_err());
            assert_eq!(count(&thread).await, i64::from(short.is_ok()));
            limit("1000000").await.expect("a limit");
            assert_eq!(insert(&thread, "b").await.ok(), Some(1));
        });
    }

    #[test]
    fn folder_is_no_file() {
        let opened = block_on(DatabaseThread::open(std::env::temp_dir()));
        let error = opened.expect_err("an error");
        assert!(matches!(error, Error::Store(_)), "{error:?}");
    }
}
