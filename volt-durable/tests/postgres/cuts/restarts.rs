//! The server is restarted at once, as after a crash, at each commit: its outcome is unknown then.
//! Each order ends once.
//!
//! The server is another one than that of the other tests. `integration/postgres/run` starts both.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use async_io::Timer;
use postgres::config::Host;
use postgres::{Config, NoTls};
use volt_durable::Client;
use volt_durable::store::PostgresStore;

use super::proxy::{Counted, Cut, Proxy};
use crate::orders::{check_effects, new_file, run_orders, worker};
use crate::server::run;

/// The connection string of the server that the test restarts. The program `restart` is in the
/// folder of its socket.
const VARIABLE: &str = "VOLT_DURABLE_POSTGRES_RESTARTED";

fn restarted() -> Option<Config> {
    let address = std::env::var(VARIABLE).ok()?;
    Some(address.parse().expect("a connection string"))
}

/// Restarts the server without a checkpoint, and waits until it accepts connections.
fn restart(config: &Config) {
    let [Host::Unix(folder)] = config.get_hosts() else {
        panic!("the server listens on one Unix socket");
    };
    let program: PathBuf = folder.join("restart");
    // The server inherits the descriptors.
    let status = Command::new(program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("a program").success(), "the server starts");
}

async fn open(
    connect: impl Fn() -> Result<postgres::Client, postgres::Error> + Clone + Send + 'static,
) -> PostgresStore {
    loop {
        if let Ok(store) = PostgresStore::connect_with(connect.clone()).await {
            return store;
        }
        Timer::after(Duration::from_millis(5)).await;
    }
}

/// Creates a schema. The restart of the order before may still be in progress.
async fn create_schema(config: &Config, schema: &str) {
    let create = format!("drop schema if exists {schema} cascade; create schema {schema}");
    let create = || config.connect(NoTls)?.batch_execute(&create);
    while create().is_err() {
        Timer::after(Duration::from_millis(5)).await;
    }
}

/// Runs one order while the server is restarted at a commit. Returns `true` if it was.
async fn run_with_restart(config: &Config, commits: usize) -> bool {
    let (schema, effects) = (format!("restart_{commits}"), new_file("effects"));
    create_schema(config, &schema).await;
    let direct = {
        let (mut config, schema) = (config.clone(), schema.clone());
        config.options(&format!("-c search_path={schema}"));
        move || config.connect(NoTls)
    };
    let client = Client::new(open(direct).await).poll_interval(Duration::from_millis(20));
    let proxy = {
        let restarted = config.clone();
        let fault = move || restart(&restarted);
        Proxy::to(
            config.clone(),
            (Counted::Commits, commits),
            Cut::BeforeAnswer,
            fault,
        )
    };
    let through = proxy.clone();
    let store = open(move || through.connect(&schema)).await;
    let worker = worker(store).max_attempts(1_000);
    worker.run_until(run_orders(&client, &effects, 1)).await;
    check_effects(&effects, 1);
    proxy.has_cut()
}

#[test]
fn order_survives_a_restart_at_each_commit() {
    run(async {
        let Some(config) = restarted() else {
            eprintln!("skipped: {VARIABLE} is not set");
            return;
        };
        let mut commits = 0;
        while run_with_restart(&config, commits).await {
            commits += 1;
        }
        assert!(commits > 10, "{commits} commits");
    });
}
