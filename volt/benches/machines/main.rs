//! Machines beside the compiler's futures of the same functions: what a run costs.
//!
//! ```text
//! cargo bench -p volt-async --bench machines                       times, 31 rounds
//! cargo bench -p volt-async --bench machines -- --rounds 101       more rounds
//! cargo bench -p volt-async --bench machines -- --instructions     instructions, counted by valgrind
//! cargo bench -p volt-async --bench machines -- --check            and fails where they are too many
//! cargo bench -p volt-async --bench machines -- --write            puts them into the book
//! cargo bench -p volt-async --bench machines -- loop               those whose name holds `loop`
//! ```
//!
//! The functions stand in `subjects.rs`, once, and are compiled twice: as they are, where all that
//! they call is the compiler's too, and as machines. A future is made, polled to its end through a
//! `dyn Future`, as by an executor, and dropped. Both versions must give the same, in as many
//! polls. Times are medians of rounds in which the two take turns; instructions are the same at
//! every run, whatever else goes on.
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

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [run, subject, version, futures] = args.as_slice()
        && run == instructions::RUN
    {
        let futures = futures.parse().expect("a number of futures");
        return run_one(subject, version, futures);
    }
    let options = Options::from_args(args.into_iter());
    if let Err(said) = run(&options) {
        eprintln!("{said}");
        std::process::exit(1);
    }
}

fn run(options: &Options) -> Result<(), String> {
    let pairs = || pairs().filter(|(native, _)| native.name.contains(&options.filter));
    if options.wanted == Wanted::Times {
        println!("{}", times(pairs(), options.rounds));
        return Ok(());
    }
    if !instructions::can_be_counted() {
        println!("!!! SKIPPED: instructions are counted by valgrind, and there is none here");
        return Ok(());
    }
    let counts = counts(pairs());
    println!("{counts}");
    match options.wanted {
        Wanted::Check => limits::check(&counts),
        Wanted::Page => page::write(&counts),
        Wanted::Times | Wanted::Instructions => Ok(()),
    }
}

/// Every subject in both versions, which do the same.
fn pairs() -> impl Iterator<Item = (Subject, Subject)> {
    let pairs = native::all().into_iter().zip(machine::all());
    pairs.inspect(|(native, machine)| {
        assert_eq!(native.outcome, machine.outcome, "{}", native.name);
    })
}

/// What valgrind watches.
fn run_one(subject: &str, version: &str, futures: u32) {
    let all = match version {
        "machine" => machine::all(),
        _ => native::all(),
    };
    let found = all.into_iter().find(|known| known.name == subject);
    (found.expect("a subject of that name").run)(futures);
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
        let count = |version| instructions::count(name, version).expect("valgrind counts");
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
    wanted: Wanted,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Times,
    Instructions,
    /// That the instructions are within their limits.
    Check,
    /// The instructions, in the book.
    Page,
}

impl Options {
    /// Without `--bench`, as `cargo test --benches` runs it, one round shows that it works.
    fn from_args(mut args: impl Iterator<Item = String>) -> Self {
        let (mut usual, mut wanted, mut filter) = (1, None, String::new());
        let mut what = Wanted::Times;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => usual = ROUNDS,
                "--rounds" => wanted = args.next().and_then(|count| count.parse().ok()),
                "--instructions" => what = Wanted::Instructions,
                "--check" => what = Wanted::Check,
                "--write" => what = Wanted::Page,
                _ => filter = arg,
            }
        }
        Self {
            rounds: wanted.unwrap_or(usual).max(1),
            filter,
            wanted: what,
        }
    }
}
