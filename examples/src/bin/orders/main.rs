//! Shows orders that end once although their workers are killed at random.
//!
//! ```text
//! orders run FILE [COUNT]    starts orders, kills their workers at random, and checks the effects
//! orders work FILE           runs a worker until it is killed
//! ```
//!
//! `FILE` is a SQLite file with the stored orders. `FILE.effects` has a line for each request to
//! the services. A worker that continues an order after a kill in a step sends the request again.
//! The key of the step is the same, so a service can recognize it.
#![forbid(unsafe_code)]

mod saga;
mod service;
mod supervisor;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use saga::Fulfil;
use volt_durable::Worker;
use volt_durable::store::SqliteStore;

/// The result of the program.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["run", file] => volt::block_on(supervisor::run(Path::new(file), 60)),
        ["run", file, count] => match count.parse() {
            Ok(count) => volt::block_on(supervisor::run(Path::new(file), count)),
            Err(_) => Err("the count of orders is not a number".into()),
        },
        ["work", file] => volt::block_on(work(Path::new(file))),
        _ => Err("usage: orders run FILE [COUNT] | orders work FILE".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("orders: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a worker until the process is killed.
async fn work(file: &Path) -> Outcome {
    service::set_file(file);
    let store = SqliteStore::open(file).await?;
    let worker = Worker::new(store).runs::<Fulfil>();
    // Kills are frequent here, and no order is at fault. So none is parked.
    let worker = worker.lease(Duration::from_secs(1)).max_attempts(1_000);
    worker.run_until(std::future::pending()).await
}
