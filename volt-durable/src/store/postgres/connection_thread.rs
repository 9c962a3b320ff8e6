//! `ConnectionThread`: the thread that runs the operations of a store.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::{iter, thread};

use super::connection::Connection;
use super::job::{Job, Operation};
use super::listener::Changes;
use super::session::{Connect, Session};
use crate::error::{Error, Result};

/// The largest number of operations in one transaction.
const MAX_BATCH: usize = 1_000;

/// The thread that runs the operations of a store. Operations that wait together have one
/// transaction.
///
/// It ends after the last operation when the last clone is dropped. An operation whose caller was
/// dropped is run too.
#[derive(Clone, Debug)]
pub(super) struct ConnectionThread {
    jobs: Sender<Box<dyn Job>>,
}

impl ConnectionThread {
    /// Starts the thread. It opens the connection for the first operation.
    pub(super) fn start(connect: Connect, changes: Arc<Changes>) -> Result<Self> {
        let (jobs, queue) = mpsc::channel();
        let mut connection = Connection::new(connect, changes);
        let run = move || {
            while let Ok(first) = queue.recv() {
                let others = queue.try_iter().take(MAX_BATCH - 1);
                connection.run(iter::once(first).chain(others).collect());
            }
        };
        let thread = thread::Builder::new().name("volt-durable-postgres".into());
        thread.spawn(run).map_err(Error::store)?;
        Ok(Self { jobs })
    }

    /// Runs an operation on the thread.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: impl Fn(&mut Session) -> Result<T, postgres::Error> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = async_channel::bounded(1);
        self.send(Box::new(Operation::new(operation, sender)))?;
        receiver.recv().await.map_err(|_| ended())?
    }

    /// Queues an operation.
    pub(super) fn send(&self, job: Box<dyn Job>) -> Result<()> {
        self.jobs.send(job).map_err(|_| ended())
    }
}

/// Returns the error of a thread that does not run.
pub(super) fn ended() -> Error {
    Error::store("the thread of the connection has ended")
}
