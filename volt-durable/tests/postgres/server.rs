//! The server of the tests, and schemas in it.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use futures_lite::future::block_on;
use postgres::{Client, Config, NoTls};
use volt_durable::conformance::Fixture;
use volt_durable::store::PostgresStore;

const VARIABLE: &str = "VOLT_DURABLE_POSTGRES";

/// A store in a new schema.
pub(crate) struct InPostgres;

impl Fixture for InPostgres {
    type Store = PostgresStore;

    async fn open(&self) -> PostgresStore {
        open(&new_schema()).await
    }
}

pub(crate) fn config() -> Config {
    let address = std::env::var(VARIABLE).expect("the test is not skipped");
    address.parse().expect("a connection string")
}

pub(crate) fn connect(schema: &str) -> Result<Client, postgres::Error> {
    config()
        .options(&format!("-c search_path={schema}"))
        .connect(NoTls)
}

/// Creates a schema, and returns its name.
pub(crate) fn new_schema() -> String {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let number = LAST.fetch_add(1, Relaxed);
    let name = format!("test_{}_{number}", std::process::id());
    let mut client = config().connect(NoTls).expect("a connection");
    let create = format!("drop schema if exists {name} cascade; create schema {name}");
    client.batch_execute(&create).expect("a schema");
    name
}

pub(crate) async fn open(schema: &str) -> PostgresStore {
    let schema = schema.to_owned();
    let store = PostgresStore::connect_with(move || connect(&schema)).await;
    store.expect("a store")
}

/// Runs a test, unless there is no server.
pub(crate) fn run(test: impl Future<Output = ()>) {
    if std::env::var_os(VARIABLE).is_none() {
        eprintln!("skipped: {VARIABLE} is not set");
        return;
    }
    block_on(test);
}
