//! A `MemoryStore` whose worker crashes at a save.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use event_listener::Event;
use volt::future::race;

use super::memory_store::MemoryStore;
use super::memory_transaction::MemoryTransaction;
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

/// The place of a crash at a save, for [`CrashingStore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// The save is not stored: the effects of the step before it have happened, and the step runs
    /// again.
    Before,
    /// The save is stored, and the worker is not notified of it.
    After,
}

/// A [`MemoryStore`] for the tests of a durable function: its worker crashes at a save.
///
/// The save never completes. After it the store accepts nothing else of the worker, so the leases
/// of the worker's machines stay until they expire. Machines, clock and messages are those of the
/// `MemoryStore`, which a second worker uses after the crash.
#[derive(Clone, Debug)]
pub struct CrashingStore {
    inner: MemoryStore,
    /// The number of saves before the crash.
    left: Arc<AtomicU64>,
    place: Crash,
    crash: Arc<CrashState>,
    has_transactions: bool,
}

#[derive(Debug, Default)]
struct CrashState {
    has_crashed: AtomicBool,
    event: Event,
}

impl CrashingStore {
    /// Creates the store of one worker, which crashes at its save number `saves`, counted from 0.
    #[must_use]
    pub fn new(store: &MemoryStore, saves: u64, place: Crash) -> Self {
        Self {
            inner: store.clone(),
            left: Arc::new(AtomicU64::new(saves)),
            place,
            crash: Arc::default(),
            has_transactions: true,
        }
    }

    /// Makes the store one without transactions, which steps with `#[step(tx)]` require.
    #[must_use]
    pub fn without_transactions(mut self) -> Self {
        self.has_transactions = false;
        self
    }

    /// Completes at the crash.
    pub fn crashed(&self) -> impl Future<Output = ()> + Send + use<> {
        let crash = Arc::clone(&self.crash);
        async move {
            let crashed = crash.event.listen();
            if !crash.has_crashed.load(Ordering::SeqCst) {
                crashed.await;
            }
        }
    }

    /// Returns the output of the future, or `None` if the worker crashes before.
    ///
    /// Use it for the future of [`Worker::run_until`](crate::Worker::run_until), which then returns
    /// at the crash.
    pub fn until_crash<F: Future>(
        &self,
        future: F,
    ) -> impl Future<Output = Option<F::Output>> + use<F> {
        let crashed = self.crashed();
        race(
            async {
                crashed.await;
                None
            },
            async { Some(future.await) },
        )
    }

    fn has_crashed(&self) -> bool {
        self.crash.has_crashed.load(Ordering::SeqCst)
    }

    /// Saves, or crashes before or after that.
    async fn save_or_crash<T>(&self, save: impl Future<Output = Result<T>>) -> Result<T> {
        let left = self.left.fetch_sub(1, Ordering::SeqCst);
        if left > 0 {
            return save.await;
        }
        // Further saves of the worker, which is dropped soon, crash too.
        self.left.store(0, Ordering::SeqCst);
        if self.place == Crash::After && !self.has_crashed() {
            save.await?;
        }
        self.crash.has_crashed.store(true, Ordering::SeqCst);
        self.crash.event.notify(usize::MAX);
        std::future::pending().await
    }
}

impl Store for CrashingStore {
    async fn save(&self, saves: &[Save]) -> Result<Vec<Lost>> {
        self.save_or_crash(self.inner.save(saves)).await
    }

    async fn begin(&self) -> Result<Option<OpenTransaction>> {
        let inner = self.inner.begin().await?;
        let Some(inner) = inner.filter(|_| self.has_transactions) else {
            return Ok(None);
        };
        let handle: MemoryTransaction = inner.handle().expect("that of the store");
        let store = self.clone();
        let commit = async move |save| store.save_or_crash(inner.commit(save)).await;
        Ok(Some(OpenTransaction::new(handle, commit)))
    }

    async fn start(&self, new: &NewMachine) -> Result<Started> {
        self.inner.start(new).await
    }

    async fn claim(&self, claim: &Claim) -> Result<Vec<Claimed>> {
        self.inner.claim(claim).await
    }

    async fn renew(&self, held: &[ClaimToken], lease: Duration) -> Result<Vec<Lost>> {
        self.inner.renew(held, lease).await
    }

    async fn fail(&self, failure: &Failure) -> Result<Option<Lost>> {
        self.inner.fail(failure).await
    }

    async fn release(&self, held: &[ClaimToken]) -> Result<()> {
        if self.has_crashed() {
            return Ok(());
        }
        self.inner.release(held).await
    }

    async fn send(&self, message: &Message) -> Result<Sent> {
        self.inner.send(message).await
    }

    async fn next_wake(&self, known: &[KnownType]) -> Result<Option<Duration>> {
        self.inner.next_wake(known).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        self.inner.list(filter).await
    }

    async fn summary(&self, filter: &Filter) -> Result<Summary> {
        self.inner.summary(filter).await
    }

    async fn now(&self) -> Result<Timestamp> {
        Ok(self.inner.now())
    }

    async fn retry(&self, id: MachineId) -> Result<bool> {
        self.inner.retry(id).await
    }

    async fn cancel(&self, id: MachineId) -> Result<bool> {
        self.inner.cancel(id).await
    }

    async fn delete_ended(&self, age: Duration, limit: usize) -> Result<usize> {
        self.inner.delete_ended(age, limit).await
    }

    fn changed(&self) -> impl Future<Output = ()> + Send {
        self.inner.changed()
    }

    fn clock(&self, at: Timestamp, since: Instant) -> Timestamp {
        self.inner.clock(at, since)
    }
}
