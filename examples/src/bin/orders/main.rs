//! Shows orders that end once although their workers are killed at random.
//!
//! ```text
//! orders run STORE [COUNT]      starts orders, kills their workers at random, and checks the effects
//! orders work STORE EFFECTS     runs a worker until it is killed
//! ```
//!
//! `STORE` is a SQLite file with the stored orders, or the address of a PostgreSQL database without
//! orders, such as `postgres://localhost/orders`. The file of effects has a line for each request to
//! the services. A worker that continues an order after a kill in a step sends the request again.
//! The key of the step is the same, so a service can recognize it.
#![forbid(unsafe_code)]

mod saga;
mod service;
mod supervisor;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use saga::Fulfil;
use volt_durable::Worker;
use volt_durable::store::{PostgresStore, SqliteStore, Store};

/// The result of the program.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["run", store] => volt::block_on(run(store, 60)),
        ["run", store, count] => match count.parse() {
            Ok(count) => volt::block_on(run(store, count)),
            Err(_) => Err("the count of orders is not a number".into()),
        },
        ["work", store, effects] => volt::block_on(work(store, Path::new(effects))),
        _ => Err("usage: orders run STORE [COUNT] | orders work STORE EFFECTS".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("orders: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns `true` if the store is a PostgreSQL database.
fn is_postgres(store: &str) -> bool {
    store.starts_with("postgres") && store.contains("://") || store.contains("host=")
}

/// Runs orders to their end, and prints the numbers of kills and of repeated requests.
async fn run(store: &str, count: usize) -> Outcome {
    if is_postgres(store) {
        let name = format!("orders-{}.effects", std::process::id());
        let effects = std::env::temp_dir().join(name);
        let database = PostgresStore::connect(store).await?;
        let done = supervisor::run(database, store, &effects, count).await;
        std::fs::remove_file(&effects)?;
        return done;
    }
    let effects = PathBuf::from(format!("{store}.effects"));
    supervisor::remove(store, &effects)?;
    let file = SqliteStore::open(store).await?;
    supervisor::run(file, store, &effects, count).await
}

/// Runs a worker until the process is killed.
async fn work(store: &str, effects: &Path) -> Outcome {
    service::set_file(effects);
    if is_postgres(store) {
        work_on(PostgresStore::connect(store).await?).await;
    } else {
        work_on(SqliteStore::open(store).await?).await;
    }
    Ok(())
}

async fn work_on<S: Store + Clone>(store: S) {
    let worker = Worker::new(store).runs::<Fulfil>();
    // Kills are frequent here, and no order is at fault. So none is parked.
    let worker = worker.lease(Duration::from_secs(1)).max_attempts(1_000);
    worker.run_until(std::future::pending::<()>()).await;
}
