//! Machines that end together.

use futures_lite::future::{block_on, yield_now};
use volt_durable::Worker;
use volt_durable::store::{Filter, Status, Store};

use crate::failing_store::{FailingStore, Fault};

const MACHINES: u64 = 100;
const OPERATIONS: u64 = 1_000_000;

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn end_at_once() {}

/// A claim for each machine would read the table as many times.
#[test]
fn ended_machines_are_replaced_by_one_claim() {
    block_on(async {
        let store = FailingStore::new(OPERATIONS, Fault::Before);
        let worker = Worker::new(store.clone()).runs::<EndAtOnce>();
        let client = worker.client();
        for key in 0..MACHINES {
            let started = client.start(key.to_string(), end_at_once()).await;
            started.expect("a machine");
        }
        let ended = async {
            for _ in 0..10 {
                yield_now().await;
            }
        };
        worker.max_machines(25).run_until(ended).await;
        // Each machine has a start and a save.
        let claims = OPERATIONS - store.left() - 2 * MACHINES;
        assert!(claims < 10, "{claims} claims and waits");
        let rows = store.list(&Filter::default()).await.expect("rows");
        assert!(rows.iter().all(|row| row.status == Status::Done));
    });
}
