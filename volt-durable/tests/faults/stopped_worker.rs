//! A worker process that is stopped for longer than its lease, and continues.

use std::fs;
use std::path::Path;
use std::time::Duration;

use async_io::Timer;
use futures_lite::future::block_on;
use volt_durable::Client;
use volt_durable::store::{Filter, SqliteStore, Store};

use crate::orders::{LEASE, check_effects, new_file, start_orders, wait_for_end, worker};
use crate::worker_process::{Killed, send_signal, stop_at, worker_process};

const ORDERS: usize = 3;

/// Returns `true` if a process is stopped.
fn is_stopped(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).expect("a process");
    let state = status.rsplit(") ").next().expect("a state");
    state.starts_with('T')
}

async fn wait_until_stopped(process: u32) {
    while !is_stopped(process) {
        Timer::after(Duration::from_millis(2)).await;
    }
}

fn lines(effects: &Path) -> Vec<String> {
    let text = fs::read_to_string(effects).expect("the effects");
    text.lines().map(str::to_owned).collect()
}

/// A worker process stops itself before an effect. Another worker ends the orders, and then the
/// stopped one continues.
async fn stop_before_effect(effect: usize, database: &Path) {
    let effects = new_file("effects");
    let store = SqliteStore::open(database).await.expect("a store");
    let client = Client::new(store.clone()).poll_interval(Duration::from_millis(20));
    start_orders(&client, &effects, ORDERS).await;
    let mut command = worker_process(database);
    stop_at(&mut command, effect);
    let process = Killed(command.spawn().expect("a worker process"));
    let stopped = process.0.id();
    wait_until_stopped(stopped).await;
    let other = worker(store.clone());
    other.run_until(wait_for_end(&client, ORDERS)).await;
    assert!(is_stopped(stopped));
    check_effects(&effects, ORDERS);
    let ended = store.list(&Filter::default()).await.expect("rows");
    let in_time = lines(&effects);
    send_signal("-CONT", stopped);
    // The stopped worker ends its step, and its save is refused.
    for _ in 0..1_000 {
        if lines(&effects).len() > in_time.len() {
            break;
        }
        Timer::after(Duration::from_millis(5)).await;
    }
    Timer::after(LEASE).await;
    assert_eq!(store.list(&Filter::default()).await.expect("rows"), ended);
    let late = lines(&effects).split_off(in_time.len());
    assert!(!late.is_empty(), "the stopped worker has not continued");
    assert!(late.iter().all(|line| in_time.contains(line)), "{late:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn stopped_worker_changes_nothing() {
    for effect in [0, 4, 7] {
        block_on(stop_before_effect(effect, &new_file("stopped.db")));
    }
}
