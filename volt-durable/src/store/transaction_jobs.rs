//! `TransactionJobs`: the jobs of a transaction on the thread of its connection.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_channel::bounded;

use super::save::{Lost, Save};
use crate::error::{Error, Result};

/// A job of a transaction. `R` is a function that receives the connection.
///
/// When the channel of the jobs is closed, the transaction is undone.
pub(crate) enum TransactionJob<R> {
    /// Writes of the step.
    Run(R),
    /// The save of the machine, and the end of the transaction.
    Commit(Box<Save>, async_channel::Sender<Result<Option<Lost>>>),
}

/// Sends the receiver of a transaction's jobs to the thread, which begins the transaction.
type Begin<R> = Box<dyn Fn(Receiver<TransactionJob<R>>) -> Result<()> + Send + Sync>;

/// The jobs of a transaction on the thread of its connection. The transaction begins with the first
/// job.
pub(crate) struct TransactionJobs<R> {
    begin: Begin<R>,
    stage: Mutex<Stage<R>>,
}

enum Stage<R> {
    /// There are no writes.
    NotBegun,
    /// The only sender of the jobs.
    Begun(mpsc::Sender<TransactionJob<R>>),
    Ended,
}

impl<R> TransactionJobs<R> {
    pub(crate) fn new(
        begin: impl Fn(Receiver<TransactionJob<R>>) -> Result<()> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            begin: Box::new(begin),
            stage: Mutex::new(Stage::NotBegun),
        })
    }

    /// Sends a function to the thread.
    fn run(&self, run: R) -> Result<()> {
        let mut stage = self.stage();
        if let Stage::NotBegun = *stage {
            let (sender, jobs) = mpsc::channel();
            (self.begin)(jobs)?;
            *stage = Stage::Begun(sender);
        }
        let Stage::Begun(jobs) = &*stage else {
            return Err(Error::store("the transaction of the step has ended"));
        };
        let sent = jobs.send(TransactionJob::Run(run));
        sent.map_err(|_| Error::store("the thread of the transaction has ended"))
    }

    /// Sends an operation to the thread, and returns its result. `job` is the function that calls
    /// the operation's wrapper. A panic of the operation is one of the caller.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        job: impl FnOnce(async_channel::Sender<Called<T>>) -> R,
    ) -> Result<T> {
        let (sender, receiver) = bounded(1);
        self.run(job(sender))?;
        match receiver.recv().await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(Error::store("the thread of the transaction has ended")),
        }
    }

    /// Undoes the writes. The next job begins a new transaction.
    pub(crate) fn rollback(&self) {
        let mut stage = self.stage();
        if let Stage::Begun(_) = *stage {
            *stage = Stage::NotBegun;
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage<R>> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of an operation, or its panic.
pub(crate) type Called<T> = std::result::Result<Result<T>, Box<dyn Any + Send>>;

/// Calls an operation, and catches its panic, because the thread belongs to all machines.
pub(crate) fn call<T>(operation: impl FnOnce() -> Result<T>) -> Called<T> {
    catch_unwind(AssertUnwindSafe(operation))
}

impl<R> fmt::Debug for TransactionJobs<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransactionJobs").finish_non_exhaustive()
    }
}

/// Ends a transaction when it is dropped, even if the step still has handles.
#[derive(Debug)]
pub(crate) struct TransactionOwner<R>(pub(crate) Arc<TransactionJobs<R>>);

impl<R> TransactionOwner<R> {
    /// Commits the writes with a save. Returns `None` if there are no writes.
    pub(crate) async fn commit(&self, save: Save) -> Option<Result<Option<Lost>>> {
        let jobs = std::mem::replace(&mut *self.0.stage(), Stage::Ended);
        let Stage::Begun(jobs) = jobs else {
            return None;
        };
        let (sender, receiver) = bounded(1);
        let ended = || Some(Err(Error::store("the thread of the transaction has ended")));
        if jobs
            .send(TransactionJob::Commit(Box::new(save), sender))
            .is_err()
        {
            return ended();
        }
        drop(jobs);
        receiver.recv().await.map_or_else(|_| ended(), Some)
    }
}

impl<R> Drop for TransactionOwner<R> {
    fn drop(&mut self) {
        *self.0.stage() = Stage::Ended;
    }
}
