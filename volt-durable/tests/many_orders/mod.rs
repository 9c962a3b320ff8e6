//! Workers crash in one of a hundred steps: each order ends once, and no stored step runs again.
//!
//! `ORDERS=100000` runs a million steps.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};

use futures_lite::future::{or, pending, yield_now};
use volt_durable::store::{Filter, Status, Store};
use volt_durable::{Client, Worker, signal};

use crate::crashing_steps::{LEASE, Numbers, expire_leases};

/// The number of steps of each order.
const STEPS: u64 = 10;

/// The number of orders that exist at once, and of those that a worker runs at once.
const BATCH: u64 = 128;
const MACHINES: usize = 32;

/// The number of steps until the worker crashes. Below zero it has crashed.
static LEFT: AtomicI64 = AtomicI64::new(0);

/// The number of steps that have begun.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// The last step of each order that has run.
static LAST: Mutex<Option<HashMap<u64, u64>>> = Mutex::new(None);

/// The fault of a step that ran at a wrong time, or nothing.
static FAULT: Mutex<String> = Mutex::new(String::new());

/// Records a step: it is the last one of its order, again, or the one after that.
fn record(order: u64, step: u64) {
    BEGUN.fetch_add(1, SeqCst);
    let mut last = LAST.lock().expect("the steps");
    let before = last.get_or_insert_default().insert(order, step);
    let is_next = step == before.map_or(0, |before| before + 1);
    if !is_next && before != Some(step) {
        let mut fault = FAULT.lock().expect("a text");
        *fault = format!("order {order}: step {step} after {before:?}");
    }
}

/// Does a step. The worker may crash in it, or after it and before its save.
async fn work(order: u64, step: u64) -> u64 {
    record(order, step);
    yield_now().await;
    let left = LEFT.fetch_sub(1, SeqCst);
    if left <= 1 && step.is_multiple_of(2) {
        pending::<()>().await;
    }
    1
}

/// Does half of the steps, waits for two messages, and does the others.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn deliver(order: u64) -> String {
    let mut step: u64 = 0;
    let mut parcels = String::new();
    while step < STEPS {
        #[step]
        #[state(Working)]
        let done = work(order, step).await;
        step += done;
        if step == STEPS / 2 || step == STEPS / 2 + 1 {
            #[state(WaitingForParcel)]
            let parcel: String = signal("parcel").await;
            parcels.push_str(&parcel);
        }
    }
    parcels
}

/// Completes after the step in which the worker crashes.
async fn crash() {
    while LEFT.load(SeqCst) > 0 {
        assert_eq!(*FAULT.lock().expect("a text"), "");
        yield_now().await;
    }
}

async fn start<S: Store>(client: &Client<S>, order: u64) {
    let key = order.to_string();
    let started = client.start(key.clone(), deliver(order)).await;
    started.expect("a machine");
    for parcel in ["A", "B", "A"] {
        let sent = client.send::<Deliver>(&key, "parcel", parcel, &parcel);
        sent.await.expect("a message");
    }
}

/// Runs workers until the orders have ended, and returns the number of crashes.
async fn run_batch<S: Store + Clone>(
    store: &S,
    mut orders: Range<u64>,
    numbers: &mut Numbers,
    mean: u64,
) -> u64 {
    let client = Client::new(store.clone());
    volt::future::join_all(orders.clone().map(|order| start(&client, order))).await;
    let mut crashes = 0;
    loop {
        let until = 1 + numbers.below(2 * mean);
        LEFT.store(i64::try_from(until).expect("few steps"), SeqCst);
        let ended = async {
            while orders.start < orders.end {
                let outcome = client.outcome::<Deliver>(&orders.start.to_string()).await;
                assert_eq!(outcome.expect("an outcome"), "AB", "order {}", orders.start);
                orders.start += 1;
            }
            true
        };
        let worker = Worker::new(store.clone()).runs::<Deliver>().lease(LEASE);
        let worker = worker.max_machines(MACHINES).max_attempts(1_000_000);
        let has_ended = or(worker.run_until(ended), async {
            crash().await;
            false
        });
        if has_ended.await {
            return crashes;
        }
        crashes += 1;
        expire_leases(store).await;
    }
}

/// Runs `ORDERS` orders, or a few, and checks their steps and their rows.
pub(crate) async fn run_orders_with_crashes<S: Store + Clone>(store: &S) {
    let orders = std::env::var("ORDERS").ok();
    let orders = orders.map(|orders| orders.parse::<u64>().expect("a number"));
    // The mean number of steps until a crash. The other machines do some more before it.
    let mean = if orders.is_some() { 80 } else { 30 };
    let orders = orders.unwrap_or(60);
    let (mut numbers, mut crashes) = (Numbers(0x9E37_79B9_7F4A_7C15), 0);
    for first in (0..orders).step_by(BATCH as usize) {
        let batch = first..orders.min(first + BATCH);
        crashes += run_batch(store, batch, &mut numbers, mean).await;
    }
    check_rows(store, orders).await;
    assert_eq!(*FAULT.lock().expect("a text"), "");
    let begun = BEGUN.load(SeqCst);
    let last = LAST.lock().expect("the steps");
    let last = last.as_ref().expect("steps");
    assert_eq!(last.len() as u64, orders);
    assert!(last.values().all(|last| *last == STEPS - 1));
    println!("{begun} steps for {}, {crashes} crashes", orders * STEPS);
    assert!(crashes > 0, "no crash");
}

/// Checks that all machines have returned, so that no row is stuck.
async fn check_rows<S: Store>(store: &S, orders: u64) {
    let summary = store.summary(&Filter::default()).await.expect("counts");
    let groups = &summary.groups;
    assert!(groups.iter().all(|group| group.status == Status::Done));
    let machines = groups.iter().map(|group| group.machines);
    assert_eq!(machines.sum::<u64>(), orders);
}
