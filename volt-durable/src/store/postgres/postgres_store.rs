//! `PostgresStore`: a store in a PostgreSQL database.

use std::sync::Arc;
use std::time::Duration;

use postgres::{Client, Config, NoTls, Transaction};

use super::call_queue::{CallQueue, Flush};
use super::connection_thread::{ConnectionThread, ended};
use super::listener::Changes;
use super::session::Connect;
use super::sql;
use super::transactions::{PostgresTransaction, TransactionPool};
use crate::error::{Error, Result};
use crate::machine_id::MachineId;
use crate::store::claim::{Claim, ClaimToken, Claimed, KnownType};
use crate::store::message::{Message, Sent};
use crate::store::new_machine::{NewMachine, Started};
use crate::store::open_transaction::OpenTransaction;
use crate::store::row::{Filter, Row};
use crate::store::save::{Failure, Lost, Save};
use crate::store::store_trait::Store;
use crate::store::summary::Summary;
use crate::store::timestamp::Timestamp;
use crate::store::transaction_jobs::TransactionOwner;

/// A store in a PostgreSQL database, version 12 or later.
///
/// The tables `durable_machine`, `durable_message` and `durable_schema` are in the first schema of
/// the search path. The store creates them when it first connects.
///
/// A store has one connection for its operations, on a thread of its own, so it works under any
/// runtime. Operations that wait together have one transaction. Saves that wait together are one
/// statement, and starts too. After the connection was lost the next operation opens a new one.
/// Clones have the same connection. Transactions of steps have further connections, at most eight.
///
/// [`changed`](Store::changed) also reports the changes of other processes, by `LISTEN` on a second
/// connection. It is opened at the first call, and again after it was lost. Until then, workers
/// find changes of other processes at their next claim. A connection pool whose connections do not
/// support `LISTEN` has that effect too.
///
/// All times are those of the server's clock. If that clock is moved back, machines that became
/// runnable before can be claimed when it has reached those times again.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    thread: ConnectionThread,
    saves: Arc<CallQueue<Vec<Save>>>,
    starts: Arc<CallQueue<NewMachine>>,
    changes: Arc<Changes>,
    transactions: TransactionPool,
    connect: Connect,
}

impl PostgresStore {
    /// Connects to a database without TLS, and creates the tables if they do not exist.
    ///
    /// `address` is a connection string, such as `host=/run/postgresql user=orders dbname=orders`
    /// or `postgres://orders@localhost/orders`.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is malformed, if the database cannot be reached, or if its
    /// tables belong to another version of this crate.
    pub async fn connect(address: &str) -> Result<Self> {
        let config: Config = address.parse().map_err(Error::store)?;
        Self::connect_with(move || config.connect(NoTls)).await
    }

    /// Connects to a database by a function, for example with TLS, and creates the tables if they
    /// do not exist. The function is called again after the connection was lost.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`connect`](Self::connect), and those of the function.
    pub async fn connect_with(
        connect: impl FnMut() -> Result<Client, postgres::Error> + Send + 'static,
    ) -> Result<Self> {
        let connect = Connect::new(connect);
        let changes = Arc::default();
        let thread = ConnectionThread::start(connect.clone(), Arc::clone(&changes))?;
        let transactions = TransactionPool::new(connect.clone());
        thread.run(|session| session.batch("")).await?;
        Ok(Self {
            thread,
            saves: Arc::default(),
            starts: Arc::default(),
            changes,
            transactions,
            connect,
        })
    }

    /// Starts a machine in a transaction of the caller, on a connection to the database of a store.
    /// The machine is stored if and only if the caller commits.
    ///
    /// [`Client::new_machine`](crate::Client::new_machine) returns the machine. A start whose key
    /// exists changes nothing; it waits for a concurrent transaction that starts the same key. The
    /// function also starts machines in a step with `#[step(tx)]`.
    ///
    /// The first schema of the connection's search path must be that of the store. Workers are
    /// notified at the commit.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema has no tables of a store, or if the statement fails. The
    /// transaction can only be undone then.
    pub fn start_in(
        transaction: &mut Transaction<'_>,
        new: &NewMachine,
    ) -> Result<Started, postgres::Error> {
        Ok(sql::start(transaction, &[new])?[0])
    }

    /// Notifies workers and clients of a change.
    fn notify<T>(&self, result: T) -> T {
        self.changes.notify();
        result
    }
}

impl Store for PostgresStore {
    async fn start(&self, new: &NewMachine) -> Result<Started> {
        let started = self.starts.push(new.clone());
        let flush = Flush::new(Arc::clone(&self.starts));
        self.thread.send(Box::new(flush))?;
        let started = started.recv().await.map_err(|_| ended())??;
        Ok(self.notify(started))
    }

    async fn claim(&self, claim: &Claim) -> Result<Vec<Claimed>> {
        let claim = claim.clone();
        let claimed = move |session: &mut _| sql::claim(session, &claim);
        self.thread.run(claimed).await
    }

    async fn renew(&self, held: &[ClaimToken], lease: Duration) -> Result<Vec<Lost>> {
        let held = held.to_vec();
        let renewed = move |session: &mut _| sql::renew(session, &held, lease);
        self.thread.run(renewed).await
    }

    async fn save(&self, saves: &[Save]) -> Result<Vec<Lost>> {
        let lost = self.saves.push(saves.to_vec());
        let flush = Flush::new(Arc::clone(&self.saves));
        self.thread.send(Box::new(flush))?;
        let lost = lost.recv().await.map_err(|_| ended())??;
        // A claim after each step would double the work of the database.
        if saves.iter().any(Save::concerns_others) {
            self.notify(());
        }
        Ok(lost)
    }

    async fn begin(&self) -> Result<Option<OpenTransaction>> {
        let (slot, jobs) = self.transactions.take().await?;
        let handle = PostgresTransaction {
            jobs: Arc::clone(&jobs),
        };
        let (store, owner) = (self.clone(), TransactionOwner(jobs));
        let commit = async move |save: Save| {
            let _slot = slot;
            match owner.commit(save.clone()).await {
                Some(committed) => store.notify(committed),
                None => Ok(store.save(&[save]).await?.pop()),
            }
        };
        Ok(Some(OpenTransaction::new(handle, commit)))
    }

    async fn fail(&self, failure: &Failure) -> Result<Option<Lost>> {
        let failure = failure.clone();
        let lost = self.thread.run(move |session| sql::fail(session, &failure));
        Ok(self.notify(lost.await?))
    }

    async fn release(&self, held: &[ClaimToken]) -> Result<()> {
        let held = held.to_vec();
        let released = self.thread.run(move |session| sql::release(session, &held));
        released.await?;
        self.notify(());
        Ok(())
    }

    async fn send(&self, message: &Message) -> Result<Sent> {
        let message = message.clone();
        let sent = self.thread.run(move |session| sql::send(session, &message));
        Ok(self.notify(sent.await?))
    }

    async fn next_wake(&self, known: &[KnownType]) -> Result<Option<Duration>> {
        let known = known.to_vec();
        let next = move |session: &mut _| sql::next_wake(session, &known);
        self.thread.run(next).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        let filter = filter.clone();
        let rows = move |session: &mut _| sql::list(session, &filter);
        self.thread.run(rows).await
    }

    async fn summary(&self, filter: &Filter) -> Result<Summary> {
        let filter = filter.clone();
        let summary = move |session: &mut _| sql::summary(session, &filter);
        self.thread.run(summary).await
    }

    async fn now(&self) -> Result<Timestamp> {
        self.thread.run(sql::now).await
    }

    async fn retry(&self, id: MachineId) -> Result<bool> {
        let is_retried = self.thread.run(move |session| sql::retry(session, id));
        Ok(self.notify(is_retried.await?))
    }

    async fn cancel(&self, id: MachineId) -> Result<bool> {
        let is_cancelled = self.thread.run(move |session| sql::cancel(session, id));
        Ok(self.notify(is_cancelled.await?))
    }

    async fn delete_ended(&self, age: Duration, limit: usize) -> Result<usize> {
        let deleted = move |session: &mut _| sql::delete_ended(session, age, limit);
        self.thread.run(deleted).await
    }

    fn changed(&self) -> impl Future<Output = ()> + Send {
        self.changes.listen(&self.connect)
    }
}
