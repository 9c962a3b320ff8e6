//! Steps per second.
//!
//! A workflow is a loop whose body is a step that adds two numbers. So nearly all of the time is
//! that of the engine and of the database. A row starts a number of workflows at once, and ends
//! when all have returned. The engines run in rotating order.

use std::time::{Duration, Instant};

use crate::workload::{ROWS, Row, Server};
use crate::{on_dbos, on_durare, on_volt};

const ROUNDS: usize = 3;

type Measure = fn(&Server, Row) -> Duration;

const ENGINES: [(&str, Measure); 3] = [
    ("volt-durable", on_volt::measure),
    ("dbos 0.5.0", on_dbos::measure),
    ("durare 0.5.0", on_durare::measure),
];

pub(crate) fn run(server: &Server) {
    println!("| workflows | steps each | engine | steps/s, median | least | most |");
    println!("| ---: | ---: | --- | ---: | ---: | ---: |");
    let begin = Instant::now();
    for row in ROWS {
        let mut rates = ENGINES.map(|_| Vec::new());
        for round in 0..ROUNDS {
            for place in 0..ENGINES.len() {
                let engine = (place + round) % ENGINES.len();
                let time = (ENGINES[engine].1)(server, row);
                rates[engine].push(row.steps_in_all() as f64 / time.as_secs_f64());
            }
        }
        for ((name, _), mut rates) in ENGINES.iter().zip(rates) {
            rates.sort_by(f64::total_cmp);
            println!(
                "| {} | {} | {name} | {:.0} | {:.0} | {:.0} |",
                row.workflows,
                row.steps,
                rates[ROUNDS / 2],
                rates[0],
                rates[ROUNDS - 1],
            );
        }
    }
    eprintln!("{:.0} s", begin.elapsed().as_secs_f64());
}
