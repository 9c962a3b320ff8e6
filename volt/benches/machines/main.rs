//! Compares machines with the compiler's futures of the same functions.
//!
//! ```text
//! cargo bench -p volt-async --bench machines                       times, 31 rounds
//! cargo bench -p volt-async --bench machines -- --rounds 101       more rounds
//! cargo bench -p volt-async --bench machines -- --instructions     instructions, counted by valgrind
//! cargo bench -p volt-async --bench machines -- --check            and fails if a machine exceeds its limit
//! cargo bench -p volt-async --bench machines -- --write            writes them to the book
//! cargo bench -p volt-async --bench machines -- loop               subjects whose name contains `loop`
//! ```
//!
//! `subjects.rs` contains the functions. They are compiled twice: as plain async functions that
//! call each other, and as machines. Each run creates a future, polls it to completion through a
//! `dyn Future`, and drops it. Both versions must return the same output after the same number of
//! polls. Times are medians of rounds in which the versions alternate. Instruction counts do not
//! depend on the load of the machine.
#![allow(clippy::duplicate_mod, reason = "the subjects are compiled twice")]

mod leaf;
mod workload;

#[path = "../executors/sample.rs"]
mod sample;

#[allow(unused_macros, reason = "redefined below")]
macro_rules! subject {
    ($($function:tt)*) => { $($function)* };
}

#[path = "subjects.rs"]
mod native;

macro_rules! subject {
    ($($function:tt)*) => { #[volt::state_machine] $($function)* };
}

#[path = "subjects.rs"]
mod machine;

mod instructions;
mod rounds;
mod table;

mod limits;
mod page;

use self::table::{Line, Table};
use self::workload::Subject;

const ROUNDS: usize = 31;

/// The numbers of futures of the two runs that count instructions.
const FUTURES: [u32; 2] = [100, 200];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [run, subject, version, futures] = args.as_slice()
        && run == instructions::RUN
    {
        let futures = futures.parse().expect("a number of futures");
        return run_one(subject, version, futures);
    }
    let options = Options::from_args(args.into_iter());
    if let Err(error) = run(&options) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run(options: &Options) -> Result<(), String> {
    let pairs = || pairs().filter(|(native, _)| native.name.contains(&options.filter));
    if options.mode == Mode::Times {
        println!("{}", times(pairs(), options.rounds));
        return Ok(());
    }
    if !instructions::can_be_counted() {
        println!("!!! SKIPPED: valgrind, which counts instructions, is not installed");
        return Ok(());
    }
    let counts = counts(pairs());
    println!("{counts}");
    match options.mode {
        Mode::Check => limits::check(&counts),
        Mode::Page => page::write(&counts),
        Mode::Times | Mode::Instructions => Ok(()),
    }
}

/// Returns every subject in both versions, which must have the same outcome.
fn pairs() -> impl Iterator<Item = (Subject, Subject)> {
    let pairs = native::all().into_iter().zip(machine::all());
    pairs.inspect(|(native, machine)| {
        assert_eq!(native.outcome, machine.outcome, "{}", native.name);
    })
}

/// Runs one subject, under valgrind.
fn run_one(subject: &str, version: &str, futures: u32) {
    let all = match version {
        "machine" => machine::all(),
        _ => native::all(),
    };
    let found = all.into_iter().find(|known| known.name == subject);
    (found.expect("the subject exists").run)(futures);
}

fn times(pairs: impl Iterator<Item = (Subject, Subject)>, rounds: usize) -> Table {
    let mut table = Table::new("ns a future");
    for (native, machine) in pairs {
        let name = native.name;
        let (native, machine) = rounds::measure(&native, &machine, rounds);
        table.push(Line {
            name,
            native: 1e9 * native.median(),
            machine: 1e9 * machine.median(),
            spread: Some(native.spread().max(machine.spread())),
        });
    }
    table
}

fn counts(pairs: impl Iterator<Item = (Subject, Subject)>) -> Table {
    let mut table = Table::new("instructions a future");
    for (Subject { name, .. }, _) in pairs {
        let count = |version| instructions::count(name, version, FUTURES).expect("valgrind counts");
        table.push(Line {
            name,
            native: count("compiler"),
            machine: count("machine"),
            spread: None,
        });
    }
    table
}

struct Options {
    rounds: usize,
    filter: String,
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Times,
    Instructions,
    /// Checks the instructions against their limits.
    Check,
    /// Writes the instructions to the book.
    Page,
}

impl Options {
    /// Without `--bench`, as in `cargo test --benches`, the default is one round.
    fn from_args(mut args: impl Iterator<Item = String>) -> Self {
        let (mut default, mut rounds, mut filter) = (1, None, String::new());
        let mut mode = Mode::Times;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => default = ROUNDS,
                "--rounds" => rounds = args.next().and_then(|count| count.parse().ok()),
                "--instructions" => mode = Mode::Instructions,
                "--check" => mode = Mode::Check,
                "--write" => mode = Mode::Page,
                _ => filter = arg,
            }
        }
        Self {
            rounds: rounds.unwrap_or(default).max(1),
            filter,
            mode,
        }
    }
}
