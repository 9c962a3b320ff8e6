//! The connection ends at each request, before it is run or after: the outcome of a commit is
//! unknown then. Each order ends once.

use std::time::Duration;

use volt_durable::Client;
use volt_durable::store::PostgresStore;

use super::proxy::{Cut, Proxy};
use crate::orders::{check_effects, new_file, run_orders, worker};
use crate::server::{new_schema, open, run};

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
