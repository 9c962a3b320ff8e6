//! Durable engines on one PostgreSQL server: steps per second, and recovery.
//!
//! ```text
//! integration/postgres/run cargo run --release --manifest-path integration/durable-peers/Cargo.toml
//! integration/postgres/run cargo run --release --manifest-path integration/durable-peers/Cargo.toml \
//!     -- recovery [WORKFLOWS [ROUNDS]]
//! ```
//!
//! Each engine has a database of its own in each round.

mod workload;
mod on_volt;
mod on_dbos;
mod on_durare;
mod steps;
mod recovery;

use std::env::args;

use self::workload::Server;

fn main() {
    let server = Server::from_variable();
    let mut numbers = args()
        .skip(2)
        .map(|number| number.parse().expect("a number"));
    match args().nth(1).as_deref() {
        None => steps::run(&server),
        Some("recovery") => {
            let workflows = numbers.next().unwrap_or(1_000);
            let rounds = numbers.next().unwrap_or(3);
            recovery::run(&server, workflows, rounds);
        }
        Some(other) => panic!("unknown measurement `{other}`, expected `recovery` or nothing"),
    }
}
