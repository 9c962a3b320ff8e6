//! Runs random programs on random runtimes for a given time, and searches for tasks that hang, leak
//! or are lost.
//!
//! ```sh
//! cargo run --release -p examples --bin stress -- --minutes 60 --seed 7
//! ```
//!
//! Each round is drawn from the seed and its number. A round that fails reports both. `--seed` and
//! `--round` run the same program again, though its threads may be interleaved in another way.

mod acts;
mod draws;
mod files;
mod inspections;
mod ledger;
mod options;
mod plan;
mod watch;

use std::panic;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use draws::Draws;
use examples::command;
use ledger::Totals;
use options::{HELP, Options};

fn main() -> ExitCode {
    let options = match command::read(HELP, Options::parse) {
        Ok(options) => options,
        Err(code) => return code,
    };
    silence_intended_panics();
    println!("seed {}", options.seed);
    let totals = match options.round {
        Some(round) => run(options.seed, round),
        None => run_until(&options),
    };
    println!("{totals}: nothing found");
    ExitCode::SUCCESS
}

fn run_until(options: &Options) -> Totals {
    let begin = Instant::now();
    let mut told = begin;
    let mut totals = Totals::default();
    while begin.elapsed() < options.limit {
        totals += run(options.seed, totals.rounds);
        if told.elapsed() >= Duration::from_secs(60) {
            told = Instant::now();
            println!("{} s: {totals}", begin.elapsed().as_secs());
        }
    }
    totals
}

fn run(seed: u64, round: u64) -> Totals {
    let mut draws = Draws::new(seed).child(round);
    let plan = plan::Plan::draw(&mut draws);
    let _watch = watch::Watch::begin(format!("seed {seed}, round {round}: {plan:?}"));
    plan.run(&draws)
}

/// Panics that belong to the program are marked, and need no report.
fn silence_intended_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.payload_as_str() != Some(acts::ON_PURPOSE) {
            before(info);
        }
    }));
}
