//! The rows, their processes, and the table.

use nix::sys::resource::{Resource, getrlimit};

use crate::clients;
use crate::pieces::{self, OnTokio, OnVolt};
use crate::processes::{self, Figures};

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
    let limit = match row {
        "connections" => most_connections(),
        _ => count,
    };
    let mut figures = RUNTIMES.map(|_| Vec::new());
    for _ in 0..rounds {
        for (runtime, all) in RUNTIMES.iter().zip(&mut figures) {
            all.push(processes::count(runtime, row, count, limit));
        }
    }
    let processes = processes::sizes(count, limit).count();
    println!(
        "\n{row}: {count} in processes: {processes}; the least of rounds: {rounds}, and the median\n"
    );
    println!("| runtime | bytes a piece | with the kernel | begin, ns a piece | end, ns a piece |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (runtime, all) in RUNTIMES.iter().zip(figures) {
        let bytes = sorted(&all, |round| round.bytes)[0];
        let sums = sorted(&all, |round| round.bytes + round.kernel_bytes)[0];
        let times = |figure: fn(&Figures) -> f64| {
            let times = sorted(&all, figure);
            format!("{:.0} ({:.0})", times[0], times[rounds / 2])
        };
        let (begin, end) = (times(|round| round.begin), times(|round| round.end));
        println!("| {runtime} | {bytes:.0} | {sums:.0} | {begin} | {end} |");
    }
}

fn sorted(rounds: &[Figures], figure: impl Fn(&Figures) -> f64) -> Vec<f64> {
    let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures
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
