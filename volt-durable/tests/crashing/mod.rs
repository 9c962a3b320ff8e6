//! A store whose worker crashes at a save.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use event_listener::Event;
use volt_durable::Result;
use volt_durable::store::{
    Claim, ClaimToken, Claimed, Failure, Filter, KnownType, Lost, MachineId, MemoryStore,
    MemoryTransaction, Message, NewMachine, OpenTransaction, Row, Save, Sent, Started, Store,
    Summary, Timestamp,
};

/// The place of a crash at a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crash {
    /// The save is not stored.
    Before,
    /// The save is stored, and the worker is not notified.
    After,
}

/// A store whose worker crashes at a save: the save never completes.
#[derive(Clone)]
pub(crate) struct CrashingStore {
    inner: MemoryStore,
    /// The number of saves before the crash.
    left: Arc<AtomicU64>,
    crash: Crash,
    crashed: Arc<Event>,
    /// `false` in the test of a store without transactions.
    pub(crate) has_transactions: bool,
}

impl CrashingStore {
    /// Creates the store of one worker, which crashes after this number of saves.
    pub(crate) fn new(inner: &MemoryStore, saves: u64, crash: Crash) -> Self {
        Self {
            inner: inner.clone(),
            left: Arc::new(AtomicU64::new(saves)),
            crash,
            crashed: Arc::new(Event::new()),
            has_transactions: true,
        }
    }

    /// Completes at the crash.
    pub(crate) fn crashed(&self) -> impl Future<Output = ()> + use<> {
        self.crashed.listen()
    }

    /// Saves, or crashes before or after that.
    async fn save_or_crash<T>(&self, save: impl Future<Output = Result<T>>) -> Result<T> {
        let left = self.left.fetch_sub(1, Ordering::SeqCst);
        if left > 0 {
            return save.await;
        }
        // Further saves of the worker, which is dropped soon, crash too.
        self.left.store(0, Ordering::SeqCst);
        if self.crash == Crash::After {
            save.await?;
        }
        self.crashed.notify(usize::MAX);
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

    fn changed(&self) -> impl Future<Output = ()> + Send {
        self.inner.changed()
    }

    fn clock(&self, at: Timestamp, since: Instant) -> Timestamp {
        self.inner.clock(at, since)
    }
}
