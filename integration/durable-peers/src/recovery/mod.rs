//! Recovery: all workflows have a number of steps behind them, and their engine starts again.
//!
//! One workflow runs its steps and is in the next one when its engine ends. The benchmark
//! copies the rows of this workflow. So the database is that of a crash with many workflows. The
//! measured time begins before a new engine connects, and ends when all workflows have ended. Each
//! one then runs one step.

mod gate;
mod tables;
mod volt_recovery;
mod dbos_recovery;
mod durare_recovery;

use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use postgres::Client;

use crate::workload::{ADDITIONS, Server};

/// The number of steps behind each workflow.
const STEPS: u64 = 1_000;

/// A function that blocks until all workflows have ended, and returns the time.
type Ended = Box<dyn FnOnce() -> Duration + Send>;

struct Engine {
    name: &'static str,
    /// Runs one workflow up to the gate, in the database with this address.
    prepare: fn(&str),
    /// Copies the workflow, so that there are this many.
    copy: fn(&mut Client, u64),
    /// Counts the workflows that have ended.
    count: &'static str,
    /// Runs a new engine until the function returns.
    recover: fn(&str, Ended) -> Duration,
}

const ENGINES: [Engine; 3] = [
    volt_recovery::ENGINE,
    dbos_recovery::ENGINE,
    durare_recovery::ENGINE,
];

/// Measures the engines whose names begin with a text.
pub(crate) fn run(server: &Server, workflows: u64, rounds: u64, name: &str) {
    let engines: Vec<&Engine> = ENGINES
        .iter()
        .filter(|engine| engine.name.starts_with(name))
        .collect();
    let mut times = vec![Vec::new(); engines.len()];
    for round in 0..rounds {
        for place in 0..engines.len() {
            let engine = (place + round as usize) % engines.len();
            let time = measure(server, engines[engine], workflows);
            eprintln!("{}: {:.2} s", engines[engine].name, time.as_secs_f64());
            times[engine].push(time.as_secs_f64());
        }
    }
    println!("| workflows | steps behind each | engine | seconds, median | least | most |");
    println!("| ---: | ---: | --- | ---: | ---: | ---: |");
    for (engine, mut times) in engines.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        println!(
            "| {workflows} | {STEPS} | {} | {:.2} | {:.2} | {:.2} |",
            engine.name,
            times[times.len() / 2],
            times[0],
            times[times.len() - 1],
        );
    }
}

fn measure(server: &Server, engine: &Engine, workflows: u64) -> Duration {
    let database = server.new_database();
    let url = server.url(&database);
    gate::set_open(false);
    (engine.prepare)(&url);
    let mut client = server.connect(&database);
    (engine.copy)(&mut client, workflows);
    for statement in ["vacuum analyze", "checkpoint"] {
        client.batch_execute(statement).expect("statistics");
    }
    gate::set_open(true);
    let additions = ADDITIONS.load(Relaxed);
    let (begin, count) = (Instant::now(), engine.count);
    let ended = move || {
        wait(&mut client, count, workflows, begin);
        begin.elapsed()
    };
    let time = (engine.recover)(&url, Box::new(ended));
    assert_eq!(gate::arrivals(), workflows, "each workflow runs one step");
    assert_eq!(
        ADDITIONS.load(Relaxed),
        additions,
        "no stored step runs again"
    );
    server.drop_database(&database);
    time
}

/// Blocks until a query counts all workflows. The pauses are a fiftieth of the time.
fn wait(client: &mut Client, count: &str, workflows: u64, begin: Instant) {
    loop {
        let row = client.query_one(count, &[]).expect("a number");
        if row.get::<_, i64>(0).unsigned_abs() == workflows {
            return;
        }
        thread::sleep((begin.elapsed() / 50).max(Duration::from_millis(10)));
    }
}
