//! The store in memory keeps each guarantee of `Store`, with the system's clock and a paused one.

mod paused_store;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use volt_durable::conformance::{Fixture, TransactionFixture, simulate};
use volt_durable::store::{MemoryStore, MemoryTransaction, OpenTransaction};

use paused_store::Paused;

/// A store with the clock of the system.
struct System;

impl Fixture for System {
    type Store = MemoryStore;

    async fn open(&self) -> MemoryStore {
        MemoryStore::new()
    }
}

/// A store whose steps write to a list.
#[derive(Default)]
struct WithList(Arc<Mutex<Vec<String>>>);

impl Fixture for WithList {
    type Store = MemoryStore;

    async fn open(&self) -> MemoryStore {
        MemoryStore::paused()
    }

    async fn pass(&self, store: &MemoryStore, duration: Duration) {
        store.advance(duration);
    }
}

fn handle(transaction: &OpenTransaction) -> MemoryTransaction {
    transaction.handle().expect("a transaction of the store")
}

impl TransactionFixture for WithList {
    async fn write(&self, transaction: &OpenTransaction, text: &str) {
        let (list, text) = (Arc::clone(&self.0), text.to_owned());
        handle(transaction).on_commit(move || list.lock().expect("no panic").push(text));
    }

    fn rollback(&self, transaction: &OpenTransaction) {
        handle(transaction).rollback();
    }

    async fn written(&self, _: &MemoryStore) -> Vec<String> {
        self.0.lock().expect("no panic").clone()
    }
}

mod transactions {
    volt_durable::conformance_transaction_tests!(
        super::WithList::default(),
        futures_lite::future::block_on
    );
}

mod paused {
    volt_durable::conformance_tests!(super::Paused, futures_lite::future::block_on);
}

mod system {
    volt_durable::conformance_tests!(super::System, futures_lite::future::block_on);
}

/// `SEEDS` is the number of simulations.
#[test]
fn simulations_have_the_results_of_the_model() {
    let seeds: u64 = std::env::var("SEEDS").map_or(300, |seeds| seeds.parse().expect("a number"));
    futures_lite::future::block_on(async {
        for seed in 0..seeds {
            simulate(&Paused, seed).await;
        }
    });
}
