//! Machines that have ended are deleted by a worker with a retention.

mod driving;

use std::time::Duration;

use driving::{quiet, row, run_quiet, start, worker};
use futures_lite::future::{block_on, yield_now};
use volt_durable::store::{Filter, MemoryStore, Store, SummaryGroup};
use volt_durable::{Client, sleep};

const DAY: Duration = Duration::from_secs(86_400);

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn rest(days: u32) -> u32 {
    #[state(Resting)]
    sleep(DAY * days).await;
    days
}

async fn keys(store: &MemoryStore) -> Vec<String> {
    let rows = store.list(&Filter::default()).await.expect("rows");
    rows.into_iter().map(|row| row.key).collect()
}

#[test]
fn worker_deletes_ended_machines() {
    block_on(async {
        let (store, client) = start(rest(0)).await;
        client.start("b", rest(60)).await.expect("a machine");
        run_quiet::<Rest>(&store).await;
        store.advance(DAY * 29);
        let keeps = worker::<Rest>(&store).retention(DAY * 30);
        keeps.run_until(quiet()).await;
        assert_eq!(keys(&store).await, ["a", "b"]);
        store.advance(DAY);
        let deletes = worker::<Rest>(&store).retention(DAY * 30);
        let deleted = async {
            while keys(&store).await.len() > 1 {
                yield_now().await;
            }
        };
        deletes.run_until(deleted).await;
        assert_eq!(keys(&store).await, ["b"]);
        assert_eq!(row::<Rest>(&store, "b").await.state, "Resting");
    });
}

/// Returns the number of machines that have not ended, and of those that have.
async fn counts(store: &MemoryStore) -> (u64, u64) {
    let summary = store.summary(&Filter::default()).await.expect("a summary");
    let (ended, others): (Vec<_>, Vec<_>) = summary
        .groups
        .iter()
        .partition(|group| group.status.is_final());
    let sum = |groups: Vec<&SummaryGroup>| groups.iter().map(|group| group.machines).sum();
    (sum(others), sum(ended))
}

#[test]
fn deletion_continues_after_a_full_batch() {
    block_on(async {
        let store = MemoryStore::paused();
        let client = Client::new(store.clone());
        for key in 0..1_001 {
            let started = client.start(key.to_string(), rest(0)).await;
            started.expect("a machine");
        }
        let ended = async {
            while counts(&store).await.0 > 0 {
                yield_now().await;
            }
        };
        worker::<Rest>(&store).run_until(ended).await;
        store.advance(DAY);
        let deleted = async {
            while counts(&store).await.1 > 0 {
                yield_now().await;
            }
        };
        let deletes = worker::<Rest>(&store).retention(DAY);
        deletes.run_until(deleted).await;
    });
}
