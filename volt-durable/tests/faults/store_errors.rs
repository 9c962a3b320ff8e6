//! Each operation of a store fails once, before it is stored or after. Leases end in time.

use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_io::Timer;
use futures_lite::future::{block_on, or};
use volt_durable::Worker;

use crate::failing_store::{FailingStore, Fault};
use crate::orders::{check_effects, new_file, run_orders, worker};

/// Runs one order whose store fails at an operation. Returns `true` if it has failed.
fn run_with_fault(operations: u64, fault: Fault) -> bool {
    let effects = new_file("effects");
    let store = FailingStore::new(operations, fault);
    let worker = worker(store.clone());
    let client = worker.client();
    block_on(worker.run_until(run_orders(&client, &effects, 1)));
    let repeated = check_effects(&effects, 1);
    assert!(
        repeated <= 1,
        "{fault:?} {operations}: {repeated} repeated requests"
    );
    std::fs::remove_file(effects).expect("the effects");
    store.has_failed()
}

fn fail_each_operation(fault: Fault) {
    let operations = (0..).take_while(|operations| run_with_fault(*operations, fault));
    // An order has a start, three messages, seven saves, and claims.
    assert!(operations.count() > 15);
}

#[test]
fn order_survives_a_failed_operation() {
    fail_each_operation(Fault::Before);
}

#[test]
fn order_survives_a_lost_result() {
    fail_each_operation(Fault::After);
}

/// The calls of the tests that were dropped.
static DROPPED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

async fn never_ends(call: usize) {
    struct OnDrop(usize);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            DROPPED[self.0].store(true, Ordering::SeqCst);
        }
    }
    let _on_drop = OnDrop(call);
    pending::<()>().await;
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn call_forever(call: usize) {
    #[step]
    #[state(Calling)]
    never_ends(call).await;
}

const SHORT: Duration = Duration::from_millis(400);

/// Runs a machine whose step never ends. Returns `true` if the worker drops it.
async fn is_dropped(fault: Fault, call: usize) -> bool {
    let store = FailingStore::new(u64::MAX, fault);
    let worker = Worker::new(store).runs::<CallForever>();
    // The worker does not claim the machine again, which would end the first claim too.
    let worker = worker.lease(SHORT).max_machines(1).on_error(|_| {});
    let client = worker.client();
    client
        .start("a", call_forever(call))
        .await
        .expect("a machine");
    let dropped = async {
        while !DROPPED[call].load(Ordering::SeqCst) {
            Timer::after(Duration::from_millis(5)).await;
        }
        true
    };
    let limit = async {
        Timer::after(SHORT * 20).await;
        false
    };
    worker.run_until(or(dropped, limit)).await
}

/// Another worker may claim the machine after its lease.
#[test]
fn machine_without_a_renewal_is_dropped() {
    assert!(block_on(is_dropped(Fault::Renewals, 0)));
}

/// The lease begins before the request. If it began at the response, the worker would run the
/// machine beside another one.
#[test]
fn machine_of_a_slow_claim_is_dropped() {
    assert!(block_on(is_dropped(Fault::SlowClaim(SHORT * 2), 1)));
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn double(number: u32) -> u32 {
    #[step]
    #[state(Doubling)]
    std::future::ready(number * 2).await
}

/// The worker reports the error of a save, which ends its claim. Without the report, the machine
/// would wait for its lease.
#[test]
fn machine_continues_after_a_failed_save() {
    let store = FailingStore::new(u64::MAX, Fault::FirstSave);
    let worker = Worker::new(store.clone()).runs::<Double>();
    let worker = worker.lease(Duration::from_secs(3_600));
    let worker = worker
        .retry_delay(Duration::from_millis(1))
        .on_error(|_| {});
    let client = worker.client();
    let outcome = async {
        client.start("a", double(4)).await.expect("a machine");
        Some(client.outcome::<Double>("a").await.expect("an outcome"))
    };
    let limit = async {
        Timer::after(SHORT * 20).await;
        None
    };
    assert_eq!(block_on(worker.run_until(or(outcome, limit))), Some(8));
}
