//! A store of which one operation fails, or all of one kind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_io::Timer;
use volt_durable::store::{
    Claim, ClaimToken, Claimed, Failure, Filter, KnownType, Lost, MachineId, MemoryStore, Message,
    NewMachine, Row, Save, Sent, Started, Store, Summary, Timestamp,
};
use volt_durable::{Error, Result};

/// A fault of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The operation is not stored, as with a full or read-only disk.
    Before,
    /// The operation is stored, and its result is lost, as with a connection that ends.
    After,
    /// The first save is not stored.
    FirstSave,
    /// Each renewal fails.
    Renewals,
    /// The result of the first claim arrives after this time.
    SlowClaim(Duration),
}

/// A store of which one operation fails, or all of one kind.
#[derive(Clone)]
pub(crate) struct FailingStore {
    inner: MemoryStore,
    /// The number of operations before the fault.
    left: Arc<AtomicU64>,
    fault: Fault,
    /// `true` after the only fault of its kind.
    is_past: Arc<AtomicBool>,
}

impl FailingStore {
    pub(crate) fn new(operations: u64, fault: Fault) -> Self {
        Self {
            inner: MemoryStore::new(),
            left: Arc::new(AtomicU64::new(operations)),
            fault,
            is_past: Arc::default(),
        }
    }

    /// Returns `true` if the operation has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.left.load(Ordering::SeqCst) > u64::MAX / 2
    }

    /// Returns the number of operations before the fault.
    pub(crate) fn left(&self) -> u64 {
        self.left.load(Ordering::SeqCst)
    }

    async fn run<T>(&self, operation: impl Future<Output = Result<T>> + Send) -> Result<T> {
        let fails = self.left.fetch_sub(1, Ordering::SeqCst) == 0;
        if fails && self.fault == Fault::Before {
            return Err(Error::store("the operation is not stored"));
        }
        let result = operation.await;
        if fails {
            return Err(Error::store("the result is lost"));
        }
        result
    }
}

impl Store for FailingStore {
    async fn start(&self, new: &NewMachine) -> Result<Started> {
        self.run(self.inner.start(new)).await
    }

    async fn claim(&self, claim: &Claim) -> Result<Vec<Claimed>> {
        let claimed = self.run(self.inner.claim(claim)).await;
        if let Fault::SlowClaim(time) = self.fault
            && !self.is_past.swap(true, Ordering::SeqCst)
        {
            Timer::after(time).await;
        }
        claimed
    }

    async fn renew(&self, held: &[ClaimToken], lease: Duration) -> Result<Vec<Lost>> {
        if self.fault == Fault::Renewals {
            return Err(Error::store("each renewal fails"));
        }
        self.run(self.inner.renew(held, lease)).await
    }

    async fn save(&self, saves: &[Save]) -> Result<Vec<Lost>> {
        if self.fault == Fault::FirstSave && !self.is_past.swap(true, Ordering::SeqCst) {
            return Err(Error::store("the first save is not stored"));
        }
        self.run(self.inner.save(saves)).await
    }

    async fn fail(&self, failure: &Failure) -> Result<Option<Lost>> {
        self.run(self.inner.fail(failure)).await
    }

    async fn release(&self, held: &[ClaimToken]) -> Result<()> {
        self.run(self.inner.release(held)).await
    }

    async fn send(&self, message: &Message) -> Result<Sent> {
        self.run(self.inner.send(message)).await
    }

    async fn next_wake(&self, known: &[KnownType]) -> Result<Option<Duration>> {
        self.run(self.inner.next_wake(known)).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        self.run(self.inner.list(filter)).await
    }

    async fn summary(&self, filter: &Filter) -> Result<Summary> {
        self.run(self.inner.summary(filter)).await
    }

    async fn now(&self) -> Result<Timestamp> {
        self.run(std::future::ready(Ok(self.inner.now()))).await
    }

    async fn retry(&self, id: MachineId) -> Result<bool> {
        self.run(self.inner.retry(id)).await
    }

    async fn cancel(&self, id: MachineId) -> Result<bool> {
        self.run(self.inner.cancel(id)).await
    }

    fn changed(&self) -> impl Future<Output = ()> + Send {
        self.inner.changed()
    }

    fn clock(&self, at: Timestamp, since: Instant) -> Timestamp {
        self.inner.clock(at, since)
    }
}
