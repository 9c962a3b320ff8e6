//! The connection ends at each request, before it is run or after: the outcome of a commit is
//! unknown then. Each order ends once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use volt_durable::Client;
use volt_durable::store::PostgresStore;

use crate::orders::{check_effects, new_file, run_orders, worker};
use crate::proxy::{Cut, Proxy};
use crate::server::{connect, new_schema, open, run};

/// The requests between two cuts.
const STEP: usize = 5;

/// Runs one order whose worker loses its connection at a request. Returns `true` if it was lost.
async fn run_with_cut(requests: usize, cut: Cut) -> bool {
    let (schema, effects) = (new_schema(), new_file("effects"));
    let client = Client::new(open(&schema).await).poll_interval(Duration::from_millis(50));
    let proxy = Proxy::start(requests, cut);
    let through = proxy.clone();
    let store = loop {
        let (through, schema) = (through.clone(), schema.clone());
        let store = PostgresStore::connect_with(move || through.connect(&schema)).await;
        if let Ok(store) = store {
            break store;
        }
    };
    let worker = worker(store);
    worker.run_until(run_orders(&client, &effects, 1)).await;
    let repeated = check_effects(&effects, 1);
    assert!(repeated <= 1, "{cut:?} {requests}: {repeated} repeated");
    proxy.has_cut()
}

fn cut_each_request(cut: Cut) {
    run(async {
        let mut requests = 0;
        while run_with_cut(requests, cut).await {
            requests += STEP;
        }
        assert!(requests > 30, "{requests} requests");
    });
}

#[test]
fn order_survives_a_cut_before_a_request() {
    cut_each_request(Cut::BeforeRequest);
}

#[test]
fn order_survives_a_cut_behind_a_request() {
    cut_each_request(Cut::BeforeAnswer);
}

/// Two workers run orders, while another connection ends a third of all leases again and again.
#[test]
fn orders_survive_short_leases() {
    run(async {
        let (schema, effects) = (new_schema(), new_file("effects"));
        let store = open(&schema).await;
        let client = Client::new(store).poll_interval(Duration::from_millis(20));
        let (first, second) = (open(&schema).await, open(&schema).await);
        let is_done = AtomicBool::new(false);
        let mut cutter = connect(&schema).expect("a connection");
        let cut_leases = "update durable_machine set lease = 0, due = 0
            where lease is not null and random() < 0.33";
        thread::scope(|scope| {
            let cutting = scope.spawn(|| {
                let mut cuts = 0;
                while !is_done.load(Ordering::SeqCst) {
                    // The server may undo the statement because of a deadlock.
                    cuts += cutter.execute(cut_leases, &[]).unwrap_or(0);
                    thread::sleep(Duration::from_millis(3));
                }
                cuts
            });
            let second = worker(second).max_attempts(1_000);
            let first = worker(first).max_attempts(1_000);
            let run = async {
                let orders = first.run_until(run_orders(&client, &effects, 30));
                let other = second.run_until(std::future::pending::<()>());
                futures_lite::future::or(orders, other).await;
            };
            futures_lite::future::block_on(run);
            is_done.store(true, Ordering::SeqCst);
            assert!(cutting.join().expect("no panic") > 0);
        });
        check_effects_beside_others(&effects);
    });
}

/// Two workers have a machine at the same time, so a begun step can end after a later one. Its key
/// is the same, and its order has no further effects.
fn check_effects_beside_others(effects: &std::path::Path) {
    let text = std::fs::read_to_string(effects).expect("the effects");
    let lines: std::collections::BTreeSet<&str> = text.lines().collect();
    assert_eq!(lines.len(), 90, "{text}");
}
