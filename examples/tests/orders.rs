//! Orders end once although their workers are killed at random.

use std::path::Path;
use std::process::Command;

use volt_durable::postgres::{Client, NoTls};

/// Runs 20 orders, and checks that all ended once and that workers were killed.
fn run_orders(store: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_orders"))
        .args(["run", store, "20"])
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.starts_with("20 orders ended once"), "{text}");
    let (_, killed) = text.split_once('\n').expect("a second line");
    let kills = killed
        .split(' ')
        .next()
        .and_then(|kills| kills.parse::<u32>().ok());
    assert!(kills.is_some_and(|kills| kills > 0), "{text}");
}

#[test]
fn killed_workers_lose_no_order() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("orders-{}.db", std::process::id()));
    run_orders(file.to_str().expect("UTF-8"));
}

/// `integration/postgres/run` runs this test with a server.
#[test]
fn killed_workers_lose_no_order_on_postgres() {
    let Ok(address) = std::env::var("VOLT_DURABLE_POSTGRES") else {
        println!("skipped: VOLT_DURABLE_POSTGRES is not set");
        return;
    };
    let schema = format!("orders_{}", std::process::id());
    let client = Client::connect(&address, NoTls);
    let created =
        client.and_then(|mut client| client.batch_execute(&format!("create schema {schema}")));
    created.expect("a new schema");
    run_orders(&format!("{address} options=-csearch_path={schema}"));
}
