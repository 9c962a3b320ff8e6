//! Functions that run a worker in a test.

use futures_lite::future::yield_now;
use volt_durable::store::{MemoryStore, Row};
use volt_durable::{Client, Durable, Worker};

/// Runs a worker until the store is quiet.
pub(crate) async fn run_quiet<M: Durable>(store: &MemoryStore) {
    worker::<M>(store).run_until(quiet()).await;
}

pub(crate) fn worker<M: Durable>(store: &MemoryStore) -> Worker<MemoryStore> {
    Worker::new(store.clone()).runs::<M>().on_error(|_| {})
}

/// Completes after a worker has done all that is ready.
pub(crate) async fn quiet() {
    for _ in 0..200 {
        yield_now().await;
    }
}

pub(crate) async fn row<M: Durable>(store: &MemoryStore, key: &str) -> Row {
    let client = Client::new(store.clone());
    let row = client.row::<M>(key).await.expect("a list");
    row.expect("the row of the machine")
}

/// Starts one machine with the key `a`.
pub(crate) async fn start<M: Durable>(machine: M) -> (MemoryStore, Client<MemoryStore>) {
    let store = MemoryStore::paused();
    let client = Client::new(store.clone());
    client.start("a", machine).await.expect("a machine");
    (store, client)
}
