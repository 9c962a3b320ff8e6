//! The server becomes read-only, or a standby replaces it for some time, and a new connection can
//! write again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_io::Timer;
use postgres::{Client as Connection, Config, NoTls};
use volt_durable::store::PostgresStore;
use volt_durable::{Client, Error};

use crate::orders::{check_effects, new_file, run_orders, worker};
use crate::server::{config, connect, new_schema, open, run};

const ORDERS: usize = 6;

const STANDBY: &str = "VOLT_DURABLE_POSTGRES_STANDBY";

/// The cause of SQLSTATE 25006.
const READ_ONLY: &str = "in a read-only transaction";

/// Connects with a search path, and a name that `run_switched` ends.
fn connect_to(
    mut config: Config,
    schema: &str,
    options: &str,
) -> Result<Connection, postgres::Error> {
    config.application_name(&format!("switched_{schema}"));
    config.options(&format!("-c search_path={schema} {options}"));
    config.connect(NoTls)
}

/// Returns `true` if the server refused a write because it is read-only.
fn is_read_only_error(error: &Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.to_string().contains(READ_ONLY) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Runs orders by a worker. Three times, its new connections are those of `refused`, until some of
/// its operations have failed because the server is read-only.
async fn run_switched(
    refused: impl Fn(&str) -> Result<Connection, postgres::Error> + Send + 'static,
) {
    let (schema, effects) = (new_schema(), new_file("effects"));
    let is_read_only = Arc::new(AtomicBool::new(false));
    let client = Client::new(open(&schema).await).poll_interval(Duration::from_millis(20));
    let store = PostgresStore::connect_with({
        let (schema, is_read_only) = (schema.clone(), Arc::clone(&is_read_only));
        move || match is_read_only.load(Ordering::SeqCst) {
            true => refused(&schema),
            false => connect_to(config(), &schema, ""),
        }
    });
    let errors = Arc::new(AtomicU32::new(0));
    let worker = worker(store.await.expect("a store")).max_attempts(1_000);
    let worker = worker.on_error({
        let errors = Arc::clone(&errors);
        move |error| _ = errors.fetch_add(u32::from(is_read_only_error(error)), Ordering::SeqCst)
    });
    let switches = async {
        let mut server = connect(&schema).expect("a connection");
        for _ in 0..3 {
            let seen = errors.load(Ordering::SeqCst);
            is_read_only.store(true, Ordering::SeqCst);
            end_sessions(&mut server, &schema);
            while errors.load(Ordering::SeqCst) < seen + 5 {
                Timer::after(Duration::from_millis(2)).await;
            }
            is_read_only.store(false, Ordering::SeqCst);
        }
    };
    let orders = run_orders(&client, &effects, ORDERS);
    worker.run_until(volt::future::join(orders, switches)).await;
    check_effects(&effects, ORDERS);
}

/// Ends the connections of the worker.
fn end_sessions(server: &mut Connection, schema: &str) {
    let end = format!(
        "select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'switched_{schema}'"
    );
    server.batch_execute(&end).expect("ended sessions");
}

/// All operations fail for some time, then the store connects again by itself.
#[test]
fn orders_survive_a_read_only_server() {
    run(run_switched(|schema| {
        connect_to(config(), schema, "-c default_transaction_read_only=on")
    }));
}

/// A standby accepts connections and refuses writes. Its tables may be older than those of the
/// first server.
#[test]
fn orders_survive_connections_to_a_standby() {
    let Ok(standby) = std::env::var(STANDBY) else {
        eprintln!("skipped: {STANDBY} is not set");
        return;
    };
    let standby: Config = standby.parse().expect("a connection string");
    let mut connection = standby.connect(NoTls).expect("a connection");
    let row = connection.query_one("select pg_is_in_recovery()", &[]);
    assert!(row.expect("a row").get::<_, bool>(0), "it is a standby");
    run(run_switched(move |schema| {
        connect_to(standby.clone(), schema, "")
    }));
}
