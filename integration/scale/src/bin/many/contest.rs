//! The rows, their processes, and the table.

use std::process::Command;

use nix::sys::resource::{Resource, getrlimit};

use crate::clients;
use crate::pieces::{self, OnTokio, OnVolt};

/// The rows, and the pieces of each.
const ROWS: [(&str, usize); 3] = [
    ("tasks", 10_000_000),
    ("timers", 1_000_000),
    ("connections", 100_000),
];
const RUNTIMES: [&str; 2] = ["volt", "tokio"];
/// Descriptors of the process that are no connections.
const OTHER_DESCRIPTORS: u64 = 100;

/// Runs one count, the clients, or the table.
pub(crate) fn main(arguments: &[String]) {
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["clients", address, count] => clients::main(address, count),
        ["count", "volt", row, count] => pieces::count::<OnVolt>(row, number(count)),
        ["count", "tokio", row, count] => pieces::count::<OnTokio>(row, number(count)),
        [] => ROWS.iter().for_each(|&(row, count)| table(row, count, 3)),
        [row, count, rounds] => table(row, number(count), number(rounds)),
        _ => eprintln!("many: expected no argument, or ROW COUNT ROUNDS"),
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("COUNT and ROUNDS are numbers")
}

/// Prints the least figures of all rounds, because noise only adds to processor time, and the
/// median of both times. The runtimes take turns, so that a change of the load affects both.
fn table(row: &str, count: usize, rounds: usize) {
    let count = match row {
        "connections" => count.min(most_connections()),
        _ => count,
    };
    let mut figures = RUNTIMES.map(|_| [const { Vec::new() }; 3]);
    for _ in 0..rounds {
        for (runtime, all) in RUNTIMES.iter().zip(&mut figures) {
            for (all, figure) in all.iter_mut().zip(one_round(runtime, row, count)) {
                all.push(figure);
            }
        }
    }
    println!("\n{row}: {count}; the least of {rounds} rounds, and the median\n");
    println!("| runtime | bytes a piece | begin, ns a piece | end, ns a piece |");
    println!("| --- | ---: | ---: | ---: |");
    for (runtime, mut all) in RUNTIMES.iter().zip(figures) {
        all.iter_mut().for_each(|all| all.sort_by(f64::total_cmp));
        let [bytes, begin, end] = all;
        let times = [begin, end].map(|all| format!("{:.0} ({:.0})", all[0], all[rounds / 2]));
        println!("| {runtime} | {:.0} | {} |", bytes[0], times.join(" | "));
    }
}

fn one_round(runtime: &str, row: &str, count: usize) -> [f64; 3] {
    let program = std::env::current_exe().expect("the program has a path");
    let mut command = Command::new(program);
    command.args(["count", runtime, row, &count.to_string()]);
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = text
        .split_whitespace()
        .map(|word| word.parse().expect("it is a number"))
        .collect();
    figures.try_into().unwrap_or_else(|_| {
        panic!(
            "{runtime} {row}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    })
}

/// Raises the limit of descriptors, which the processes inherit, and returns what it permits.
fn most_connections() -> usize {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("there is a limit");
    if soft < hard {
        nix::sys::resource::setrlimit(Resource::RLIMIT_NOFILE, hard, hard)
            .expect("it is permitted");
    }
    (hard - OTHER_DESCRIPTORS) as usize
}
