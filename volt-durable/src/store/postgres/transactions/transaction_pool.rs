//! `TransactionPool`: the connections for the transactions of steps.

use std::fmt;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use async_channel::Sender;
use postgres::Client;

use super::postgres_transaction::{RunInPostgres, fail_jobs, run_transaction};
use crate::error::{Error, Result};
use crate::store::postgres::session::Connect;
use crate::store::transaction_jobs::{TransactionJob, TransactionJobs};

/// The largest number of open transactions of a store. Others wait.
const MAX_OPEN: usize = 8;

/// The jobs of one transaction.
type Jobs = Receiver<TransactionJob<RunInPostgres>>;

/// The connections for the transactions of steps.
#[derive(Clone)]
pub(in crate::store::postgres) struct TransactionPool {
    connect: Connect,
    idle: Sender<Slot>,
    slots: async_channel::Receiver<Slot>,
}

/// A place for a connection, whose thread starts with the first transaction.
#[derive(Clone, Default)]
struct Slot(Arc<Mutex<Option<mpsc::Sender<Jobs>>>>);

/// A place of the pool that belongs to one transaction, and then returns to the pool.
pub(in crate::store::postgres) struct TakenSlot {
    slot: Slot,
    idle: Sender<Slot>,
}

impl TransactionPool {
    pub(in crate::store::postgres) fn new(connect: Connect) -> Self {
        let (idle, slots) = async_channel::bounded(MAX_OPEN);
        for _ in 0..MAX_OPEN {
            // The channel has room for all of them.
            let _ = idle.try_send(Slot::default());
        }
        Self {
            connect,
            idle,
            slots,
        }
    }

    /// Waits for a free connection, and returns the jobs of a transaction on it.
    pub(in crate::store::postgres) async fn take(
        &self,
    ) -> Result<(TakenSlot, Arc<TransactionJobs<RunInPostgres>>)> {
        let slot = self.slots.recv().await.map_err(Error::store)?;
        let taken = TakenSlot {
            slot: slot.clone(),
            idle: self.idle.clone(),
        };
        let connect = self.connect.clone();
        let begin = move |jobs| slot.begin(&connect, jobs);
        Ok((taken, TransactionJobs::new(begin)))
    }
}

impl Slot {
    /// Sends the jobs of a transaction to the thread of the connection, and starts it if needed.
    fn begin(&self, connect: &Connect, jobs: Jobs) -> Result<()> {
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let transactions = match thread.take() {
            Some(transactions) => transactions,
            None => start(connect.clone())?,
        };
        let sent = thread.insert(transactions).send(jobs);
        sent.map_err(|_| Error::store("the thread of the transaction has ended"))
    }
}

/// Starts the thread of a connection. It ends when the pool and its handles are dropped.
fn start(connect: Connect) -> Result<mpsc::Sender<Jobs>> {
    let (transactions, received) = mpsc::channel::<Jobs>();
    let run = move || {
        let mut client: Option<Client> = None;
        for jobs in received {
            let open = client.take().filter(|client| !client.is_closed());
            match open.map_or_else(|| connect.open(), Ok) {
                Ok(mut opened) => {
                    // After a failure the server may be read-only, or the connection lost.
                    let is_usable = run_transaction(&mut opened, &jobs);
                    client = is_usable.then_some(opened);
                }
                Err(error) => fail_jobs(&error.to_string(), &jobs),
            }
        }
    };
    let thread = thread::Builder::new().name("volt-durable-step".into());
    thread.spawn(run).map_err(Error::store)?;
    Ok(transactions)
}

impl Drop for TakenSlot {
    fn drop(&mut self) {
        // The pool may have been dropped.
        let _ = self.idle.try_send(self.slot.clone());
    }
}

impl fmt::Debug for TransactionPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransactionPool").finish_non_exhaustive()
    }
}
