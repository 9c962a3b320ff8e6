//! A machine that ends its process, beside other machines.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use futures_lite::future::block_on;
use volt_durable::Client;
use volt_durable::store::{Filter, SqliteStore, Status, Store};

use crate::orders::{check_effects, new_file, run_orders};
use crate::worker_process::{Killed, MAX_ATTEMPTS, worker_process};

const ORDERS: usize = 8;

/// Ends its process at its first poll.
#[volt::state_machine(derive(Serialize, Deserialize))]
pub(crate) async fn abort_process() {
    std::process::abort();
}

/// Starts a worker process again whenever it has ended. Returns the number of those that ended.
fn keep_running(database: &Path, is_done: &AtomicBool) -> u32 {
    let mut ended = 0;
    while !is_done.load(Ordering::SeqCst) {
        let process = worker_process(database).spawn();
        let mut process = Killed(process.expect("a worker process"));
        while !is_done.load(Ordering::SeqCst) {
            if process.0.try_wait().expect("a process").is_some() {
                ended += 1;
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
    ended
}

async fn wait_until_parked<S: Store>(client: &Client<S>) {
    loop {
        let row = client.row::<AbortProcess>("poison").await.expect("a row");
        if row.is_some_and(|row| row.status == Status::Parked) {
            return;
        }
        async_io::Timer::after(Duration::from_millis(10)).await;
    }
}

/// The machine is parked after its attempts. The machines that were in the same processes are not.
#[test]
fn aborting_machine_is_parked_alone() {
    let database = new_file("abort.db");
    let effects = new_file("effects");
    let is_done = Arc::new(AtomicBool::new(false));
    let ended = Arc::new(AtomicU32::new(0));
    block_on(async {
        let store = SqliteStore::open(&database).await.expect("a store");
        let client = Client::new(store.clone()).poll_interval(Duration::from_millis(20));
        client
            .start("poison", abort_process())
            .await
            .expect("a machine");
        let supervisor = {
            let (is_done, ended) = (Arc::clone(&is_done), Arc::clone(&ended));
            thread::spawn(move || ended.store(keep_running(&database, &is_done), Ordering::SeqCst))
        };
        run_orders(&client, &effects, ORDERS).await;
        wait_until_parked(&client).await;
        is_done.store(true, Ordering::SeqCst);
        supervisor.join().expect("no panic");
        let parked = Filter {
            status: Some(Status::Parked),
            ..Filter::default()
        };
        let parked = store.list(&parked).await.expect("rows");
        assert_eq!(parked.len(), 1);
        let error = parked[0].error.as_deref().unwrap_or_default();
        assert!(error.contains("`retry` continues the machine"), "{error}");
    });
    assert_eq!(ended.load(Ordering::SeqCst), MAX_ATTEMPTS);
    check_effects(&effects, ORDERS);
}
