//! Each operation of a store fails once, before it is stored or after.

use futures_lite::future::block_on;

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
