//! Durable engines on one PostgreSQL server: steps per second, and recovery.
//!
//! ```text
//! integration/postgres/run cargo run --release --manifest-path integration/durable-peers/Cargo.toml
//! integration/postgres/run cargo run --release --manifest-path integration/durable-peers/Cargo.toml \
//!     -- recovery [WORKFLOWS [ROUNDS [ENGINE]]]
//! ```
//!
//! Each engine has a database of its own in each round. With ENGINE, such as `dbos`, only that one
//! recovers.

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
    let mut words = args().skip(2);
    match args().nth(1).as_deref() {
        None => steps::run(&server),
        Some("recovery") => {
            let mut number = |default| {
                let word = words.next();
                word.map_or(default, |word| word.parse().expect("a number"))
            };
            let (workflows, rounds) = (number(1_000), number(3));
            recovery::run(&server, workflows, rounds, &words.next().unwrap_or_default());
        }
        Some(other) => panic!("unknown measurement `{other}`, expected `recovery` or nothing"),
    }
}
