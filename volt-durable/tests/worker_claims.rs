//! Claims of workers: leases, losses, and the end of a worker.

mod adding;
mod driving;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use adding::{Add, add, known};
use async_io::Timer;
use driving::{quiet, row, run_quiet, start, worker};
use futures_lite::future::{block_on, or};
use volt_durable::Client;
use volt_durable::store::{Claim, Filter, KnownType, MachineId, MemoryStore, Status, Store};

const DAY: Duration = Duration::from_secs(86_400);

/// Counts the calls that were dropped before their end.
static DROPPED: Mutex<Vec<u32>> = Mutex::new(Vec::new());

async fn never_ends(call: u32) {
    struct OnDrop(u32);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            DROPPED.lock().expect("no panic").push(self.0);
        }
    }
    let _on_drop = OnDrop(call);
    std::future::pending::<()>().await;
}

fn is_dropped(call: u32) -> bool {
    DROPPED.lock().expect("no panic").contains(&call)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn call_forever(call: u32) {
    #[step]
    #[state(Calling)]
    never_ends(call).await;
}

#[test]
fn claims_are_released_at_the_end() {
    block_on(async {
        let (store, _) = start(call_forever(1)).await;
        run_quiet::<CallForever>(&store).await;
        assert!(is_dropped(1));
        let released = row::<CallForever>(&store, "a").await;
        assert_eq!((released.lease, released.attempts), (None, 0));
        assert_eq!((released.seq, released.state.as_str()), (1, "Calling"));
    });
}

#[test]
fn cancelled_machine_is_dropped() {
    block_on(async {
        let (store, client) = start(call_forever(2)).await;
        let worker = worker::<CallForever>(&store).lease(Duration::from_millis(100));
        worker
            .run_until(async {
                quiet().await;
                let id = row::<CallForever>(&store, "a").await.id;
                assert!(!is_dropped(2));
                assert!(store.cancel(id).await.expect("a result"));
                while !is_dropped(2) {
                    Timer::after(Duration::from_millis(5)).await;
                }
            })
            .await;
        let outcome = client.outcome::<CallForever>("a").await;
        let error = outcome.expect_err("no outcome");
        assert_eq!(error.to_string(), "machine 1 was cancelled");
    });
}

#[test]
fn machine_with_a_lost_lease_is_dropped() {
    block_on(async {
        let (store, _) = start(call_forever(3)).await;
        let first = worker::<CallForever>(&store).lease(Duration::from_secs(2));
        first
            .run_until(async {
                quiet().await;
                store.advance(DAY);
                let claim = Claim {
                    known: vec![known("CallForever", "Calling")],
                    limit: 1,
                    lease: DAY,
                    max_attempts: 9,
                    suspects: 9,
                };
                assert_eq!(store.claim(&claim).await.expect("a claim").len(), 1);
                while !is_dropped(3) {
                    Timer::after(Duration::from_millis(5)).await;
                }
            })
            .await;
        let row = row::<CallForever>(&store, "a").await;
        assert!(row.lease.is_some(), "the claim of the second worker stays");
    });
}

static SLOW_CALLS: AtomicU32 = AtomicU32::new(0);

async fn slow_call() {
    SLOW_CALLS.fetch_add(1, Ordering::SeqCst);
    Timer::after(Duration::from_secs(2)).await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn call_slowly() {
    #[step]
    #[state(Calling)]
    slow_call().await;
}

#[test]
fn step_beyond_the_lease_runs_once() {
    block_on(async {
        let store = MemoryStore::new();
        let client = Client::new(store.clone());
        client.start("a", call_slowly()).await.expect("a machine");
        let lease = Duration::from_millis(800);
        let first = worker::<CallSlowly>(&store).lease(lease);
        let second = worker::<CallSlowly>(&store).lease(lease);
        let ended = async {
            client.outcome::<CallSlowly>("a").await.expect("the end");
        };
        let idle = second.run_until(std::future::pending::<()>());
        or(first.run_until(ended), idle).await;
        assert_eq!(SLOW_CALLS.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn machines_beyond_the_room_wait() {
    block_on(async {
        let store = MemoryStore::paused();
        let client = Client::new(store.clone());
        for key in 0..5 {
            let key = key.to_string();
            client.start(&key, add(0)).await.expect("a machine");
        }
        worker::<Add>(&store)
            .max_machines(2)
            .run_until(quiet())
            .await;
        let rows = store.list(&Filter::default()).await.expect("rows");
        assert!(rows.iter().all(|row| row.status == Status::Done));
        for key in 5..8 {
            let key = key.to_string();
            client
                .start(&key, call_forever(9))
                .await
                .expect("a machine");
        }
        worker::<CallForever>(&store)
            .max_machines(2)
            .run_until(async {
                quiet().await;
                let rows = store.list(&Filter::default()).await.expect("rows");
                let claimed = rows.iter().filter(|row| row.lease.is_some());
                assert_eq!(claimed.count(), 2);
            })
            .await;
    });
}

static CANCELLED: Mutex<Option<MemoryStore>> = Mutex::new(None);

/// Cancels the machine that calls it, before its first save.
fn cancel_first_machine() {
    let store = CANCELLED.lock().expect("no panic").take();
    let store = store.expect("the store of the machine");
    assert!(block_on(store.cancel(MachineId(1))).expect("a result"));
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn call_after_cancel() {
    cancel_first_machine();
    #[step]
    #[state(Calling)]
    never_ends(4).await;
}

#[test]
fn step_after_a_lost_save_never_begins() {
    block_on(async {
        let (store, _) = start(call_after_cancel()).await;
        *CANCELLED.lock().expect("no panic") = Some(store.clone());
        run_quiet::<CallAfterCancel>(&store).await;
        let row = row::<CallAfterCancel>(&store, "a").await;
        assert_eq!((row.status, row.seq), (Status::Cancelled, 0));
        assert!(!is_dropped(4), "the step has begun");
    });
}

/// Starts three machines, and lets their leases expire twice.
async fn suspects(runs_first: bool) -> MemoryStore {
    let (store, client) = start(call_forever(5)).await;
    for key in ["b", "c"] {
        client.start(key, call_forever(5)).await.expect("a machine");
    }
    if runs_first {
        run_quiet::<CallForever>(&store).await;
    }
    for _ in 0..2 {
        let claim = Claim {
            known: vec![KnownType {
                name: "CallForever".into(),
                states: vec!["start".into(), "Calling".into()],
            }],
            limit: 9,
            lease: Duration::from_secs(1),
            max_attempts: 4,
            suspects: 9,
        };
        assert_eq!(store.claim(&claim).await.expect("claims").len(), 3);
        store.advance(DAY);
    }
    store
}

/// Returns the number of machines that a worker has in memory.
async fn machines_in_memory(store: &MemoryStore) -> usize {
    let worker = worker::<CallForever>(store).max_attempts(4);
    let counted = worker.run_until(async {
        quiet().await;
        let rows = store.list(&Filter::default()).await.expect("rows");
        let now = store.now();
        let leases = rows.iter().filter_map(|row| row.lease);
        leases.filter(|lease| *lease > now).count()
    });
    counted.await
}

/// A machine that continues in a step has no save before the step ends.
#[test]
fn one_suspect_is_in_memory() {
    block_on(async {
        let store = suspects(true).await;
        assert_eq!(machines_in_memory(&store).await, 1);
    });
}

#[test]
fn suspect_is_none_after_its_save() {
    block_on(async {
        let store = suspects(false).await;
        assert_eq!(machines_in_memory(&store).await, 3);
    });
}
