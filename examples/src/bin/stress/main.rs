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
mod dumps;
mod files;
#[path = "../../../../volt/tests/forking/mod.rs"]
mod forking;
mod forks;
mod inspection_act;
mod inspections;
mod ledger;
mod options;
mod plan;
mod watch;

use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use draws::Draws;
use examples::command;
use inspection_act::{ActCounts, missing_acts};
use ledger::Totals;
use options::{HELP, Options};

/// The number of rounds in which each act of an inspection is done.
const ENOUGH_ROUNDS: u64 = 300;

/// A thread has panicked without intention. Some panics are caught, such as those in dumps.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

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
    println!("{totals}, {ActCounts}: nothing found");
    let missing = missing_acts();
    if totals.rounds >= ENOUGH_ROUNDS && !missing.is_empty() {
        eprintln!("acts that were never done: {}", missing.join(", "));
        return ExitCode::FAILURE;
    }
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
            println!("{} s: {totals}, {ActCounts}", begin.elapsed().as_secs());
        }
    }
    totals
}

fn run(seed: u64, round: u64) -> Totals {
    let mut draws = Draws::new(seed).child(round);
    let plan = plan::Plan::draw(&mut draws);
    let _watch = watch::Watch::begin(format!("seed {seed}, round {round}: {plan:?}"));
    let totals = plan.run(&draws);
    assert!(!HAS_PANICKED.load(Relaxed), "a thread has panicked");
    totals
}

/// Panics that belong to the program are marked, and need no report.
fn silence_intended_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.payload_as_str() != Some(acts::ON_PURPOSE) {
            HAS_PANICKED.store(true, Relaxed);
            before(info);
        }
    }));
}
