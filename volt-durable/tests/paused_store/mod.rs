//! The store in memory with a paused clock, for the conformance suite.

use std::time::Duration;

use volt_durable::conformance::Fixture;
use volt_durable::store::MemoryStore;

/// A store whose clock the suite moves, so a test never waits.
pub(crate) struct Paused;

impl Fixture for Paused {
    type Store = MemoryStore;

    async fn open(&self) -> MemoryStore {
        MemoryStore::paused()
    }

    async fn pass(&self, store: &MemoryStore, duration: Duration) {
        store.advance(duration);
    }
}
