//! `SqliteStore`: a store in a SQLite file.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use event_listener::Event;
use rusqlite::Connection;

use super::claim_queries::{cancel, claim, next_wake, release, renew, retry};
use super::database_thread::DatabaseThread;
use super::list_queries::{delete_ended, list, summary};
use super::message_queries::{send, start};
use super::save_queries::{fail, save};
use super::sqlite_transaction::SqliteTransaction;
use crate::error::Result;
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
use crate::store::transaction_jobs::{TransactionJobs, TransactionOwner};

/// A store in a SQLite file, without a server.
///
/// The file has write-ahead logging, and each commit is synchronized to the disk. Workers and
/// clients of one process share the store by its clones; other processes may open the same file.
/// Their changes are noticed at the next claim.
///
/// The clock is that of the system. The file belongs to the store: its `user_version` is the
/// version of the tables.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    thread: DatabaseThread,
    changed: Arc<Event>,
}

impl SqliteStore {
    /// Opens a file, or creates it. Tables of an older version are migrated.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened or is no database, or if its tables have a
    /// newer version.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        Ok(Self {
            thread: DatabaseThread::open(path).await?,
            changed: Arc::new(Event::new()),
        })
    }

    /// Starts a machine in a transaction of the caller, on a connection to the file of a store. The
    /// machine is stored if and only if the caller commits.
    ///
    /// [`Client::new_machine`](crate::Client::new_machine) returns the machine. A start whose key
    /// exists changes nothing. The function also starts machines in a step with `#[step(tx)]`.
    ///
    /// The transaction should begin with `begin immediate`, and it blocks the store while it is
    /// open. Workers find the machine at their next claim, after
    /// [`poll_interval`](crate::Worker::poll_interval) at the latest.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt_durable::rusqlite::{self, Connection, TransactionBehavior};
    /// use volt_durable::signal;
    /// use volt_durable::store::{NewMachine, SqliteStore};
    ///
    /// #[volt::state_machine(derive(Serialize, Deserialize))]
    /// async fn ship(order: u64) -> String {
    ///     #[state(WaitingForTruck)]
    ///     let truck: String = signal("truck").await;
    ///     format!("{order}: {truck}")
    /// }
    ///
    /// // `new` is the result of `client.new_machine("order-7", ship(7))`.
    /// fn insert_order(connection: &mut Connection, new: &NewMachine) -> rusqlite::Result<()> {
    ///     let immediate = TransactionBehavior::Immediate;
    ///     let transaction = connection.transaction_with_behavior(immediate)?;
    ///     transaction.execute("insert into shop_order values (7)", [])?;
    ///     SqliteStore::start_in(&transaction, new)?;
    ///     transaction.commit()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no tables of a store, or if it cannot be written.
    pub fn start_in(connection: &Connection, new: &NewMachine) -> rusqlite::Result<Started> {
        start(connection, new, Timestamp::now())
    }

    /// Runs an operation on the thread of the database, and notifies workers and clients.
    async fn change<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&Connection, Timestamp) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let changed = self.thread.call(operation).await?;
        self.changed.notify(usize::MAX);
        Ok(changed)
    }
}

impl Store for SqliteStore {
    async fn start(&self, new: &NewMachine) -> Result<Started> {
        let new = new.clone();
        self.change(move |connection, now| start(connection, &new, now))
            .await
    }

    async fn claim(&self, request: &Claim) -> Result<Vec<Claimed>> {
        let request = request.clone();
        let claimed = self
            .thread
            .call(move |connection, now| claim(connection, &request, now));
        claimed.await
    }

    async fn renew(&self, held: &[ClaimToken], lease: Duration) -> Result<Vec<Lost>> {
        let held = held.to_vec();
        let renewal = self
            .thread
            .call(move |connection, now| renew(connection, &held, now.after(lease)));
        renewal.await
    }

    async fn save(&self, saves: &[Save]) -> Result<Vec<Lost>> {
        let concerns_others = saves.iter().any(Save::concerns_others);
        let saves = saves.to_vec();
        let saving = move |connection: &_, now| save(connection, &saves, now);
        // A claim after each step would double the work of the database.
        if concerns_others {
            self.change(saving).await
        } else {
            self.thread.call(saving).await
        }
    }

    async fn begin(&self) -> Result<Option<OpenTransaction>> {
        let thread = self.thread.clone();
        let jobs = TransactionJobs::new(move |jobs| thread.begin(jobs));
        let handle = SqliteTransaction {
            jobs: Arc::clone(&jobs),
        };
        let (store, owner) = (self.clone(), TransactionOwner(jobs));
        let commit = async move |save: Save| match owner.commit(save.clone()).await {
            Some(committed) => {
                store.changed.notify(usize::MAX);
                committed
            }
            None => Ok(store.save(&[save]).await?.pop()),
        };
        Ok(Some(OpenTransaction::new(handle, commit)))
    }

    async fn fail(&self, failure: &Failure) -> Result<Option<Lost>> {
        let id = failure.held.id;
        let failure = failure.clone();
        let failing = self.change(move |connection, now| fail(connection, &failure, now));
        let is_recorded = failing.await?;
        Ok((!is_recorded).then_some(Lost { id }))
    }

    async fn release(&self, held: &[ClaimToken]) -> Result<()> {
        let held = held.to_vec();
        self.change(move |connection, now| release(connection, &held, now))
            .await
    }

    async fn send(&self, message: &Message) -> Result<Sent> {
        let message = message.clone();
        self.change(move |connection, now| send(connection, &message, now))
            .await
    }

    async fn next_wake(&self, known: &[KnownType]) -> Result<Option<Duration>> {
        let known = known.to_vec();
        let next = self
            .thread
            .call(move |connection, now| next_wake(connection, &known, now));
        next.await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        let filter = filter.clone();
        self.thread
            .call(move |connection, now| list(connection, &filter, now))
            .await
    }

    async fn summary(&self, filter: &Filter) -> Result<Summary> {
        let filter = filter.clone();
        self.thread
            .call(move |connection, now| summary(connection, &filter, now))
            .await
    }

    async fn now(&self) -> Result<Timestamp> {
        Ok(Timestamp::now())
    }

    async fn retry(&self, id: MachineId) -> Result<bool> {
        self.change(move |connection, now| retry(connection, id, now))
            .await
    }

    async fn cancel(&self, id: MachineId) -> Result<bool> {
        self.change(move |connection, now| cancel(connection, id, now))
            .await
    }

    async fn delete_ended(&self, age: Duration, limit: usize) -> Result<usize> {
        let deleting = move |connection: &_, now| delete_ended(connection, age, limit, now);
        self.thread.call(deleting).await
    }

    fn changed(&self) -> impl Future<Output = ()> + Send {
        self.changed.listen()
    }
}
