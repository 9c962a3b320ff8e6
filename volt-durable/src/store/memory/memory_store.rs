//! `MemoryStore`: a store in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use event_listener::Event;

use super::memory_clock::MemoryClock;
use super::memory_transaction::MemoryTransaction;
use super::table::Table;
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

/// A store in memory, for tests. Its machines end with its last clone.
#[derive(Clone, Debug)]
pub struct MemoryStore {
    shared: Arc<SharedTable>,
}

#[derive(Debug)]
struct SharedTable {
    table: Mutex<Table>,
    changed: Event,
}

impl MemoryStore {
    /// Creates an empty store with the clock of the system.
    #[must_use]
    pub fn new() -> Self {
        Self::with_clock(MemoryClock::System)
    }

    /// Creates an empty store whose clock is paused at zero. [`advance`](Self::advance) moves it,
    /// so weeks of timers pass in a test at once. Leases are measured by this clock too.
    #[must_use]
    pub fn paused() -> Self {
        Self::with_clock(MemoryClock::Paused(Timestamp::default()))
    }

    fn with_clock(clock: MemoryClock) -> Self {
        let shared = SharedTable {
            table: Mutex::new(Table::new(clock)),
            changed: Event::new(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Moves the paused clock, and notifies the workers.
    ///
    /// # Panics
    ///
    /// Panics if the clock is not paused.
    pub fn advance(&self, duration: Duration) {
        let is_paused = self.table().clock.advance(duration);
        assert!(is_paused, "the clock of the store is not paused");
        self.notify();
    }

    /// Returns the time of the clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.table().clock.now()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        let table = self.shared.table.lock();
        table.unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self) {
        self.shared.changed.notify(usize::MAX);
    }

    /// Changes the table, and notifies workers and clients.
    fn change<T>(&self, change: impl FnOnce(&mut Table) -> T) -> Result<T> {
        let changed = change(&mut self.table());
        self.notify();
        Ok(changed)
    }

    /// Saves a snapshot, and calls the writes of its step if it is stored.
    fn commit(&self, transaction: &MemoryTransaction, save: &Save) -> Result<Option<Lost>> {
        let writes = transaction.end();
        self.change(|table| {
            let lost = table.save(std::slice::from_ref(save)).pop();
            if lost.is_none() {
                writes.into_iter().for_each(|write| write());
            }
            lost
        })
    }
}

/// Ends a transaction when it is dropped, even if the step still has handles.
struct TransactionEnd(MemoryTransaction);

impl Drop for TransactionEnd {
    fn drop(&mut self) {
        drop(self.0.end());
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl Store for MemoryStore {
    async fn start(&self, new: &NewMachine) -> Result<Started> {
        self.change(|table| table.start(new))
    }

    async fn claim(&self, claim: &Claim) -> Result<Vec<Claimed>> {
        Ok(self.table().claim(claim))
    }

    async fn renew(&self, held: &[ClaimToken], lease: Duration) -> Result<Vec<Lost>> {
        Ok(self.table().renew(held, lease))
    }

    async fn save(&self, saves: &[Save]) -> Result<Vec<Lost>> {
        self.change(|table| table.save(saves))
    }

    async fn begin(&self) -> Result<Option<OpenTransaction>> {
        let transaction = MemoryTransaction::new();
        let (store, owner) = (self.clone(), TransactionEnd(transaction.clone()));
        let commit = async move |save| store.commit(&owner.0, &save);
        Ok(Some(OpenTransaction::new(transaction, commit)))
    }

    async fn fail(&self, failure: &Failure) -> Result<Option<Lost>> {
        self.change(|table| table.fail(failure))
    }

    async fn release(&self, held: &[ClaimToken]) -> Result<()> {
        self.change(|table| table.release(held))
    }

    async fn send(&self, message: &Message) -> Result<Sent> {
        self.change(|table| table.send(message))
    }

    async fn next_wake(&self, known: &[KnownType]) -> Result<Option<Duration>> {
        Ok(self.table().next_wake(known))
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        Ok(self.table().list(filter))
    }

    async fn summary(&self, filter: &Filter) -> Result<Summary> {
        Ok(self.table().summary(filter))
    }

    async fn now(&self) -> Result<Timestamp> {
        Ok(Self::now(self))
    }

    async fn retry(&self, id: MachineId) -> Result<bool> {
        self.change(|table| table.retry(id))
    }

    async fn cancel(&self, id: MachineId) -> Result<bool> {
        self.change(|table| table.cancel(id))
    }

    async fn delete_ended(&self, age: Duration, limit: usize) -> Result<usize> {
        Ok(self.table().delete_ended(age, limit))
    }

    fn changed(&self) -> impl Future<Output = ()> + Send {
        self.shared.changed.listen()
    }

    fn clock(&self, _: Timestamp, _: Instant) -> Timestamp {
        self.now()
    }
}
