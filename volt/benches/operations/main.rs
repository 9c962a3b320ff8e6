//! Counts the instructions of operations in a runtime, and compares them with limits.
//!
//! ```text
//! cargo bench -p volt-async --bench operations                 instructions of each operation
//! cargo bench -p volt-async --bench operations -- --check      and fails if one exceeds its limit
//! cargo bench -p volt-async --bench operations -- join         operations whose name contains `join`
//! ```
//!
//! Each operation runs in a task of a runtime with one worker, as plain `async fn` and as machines.
//! valgrind counts the instructions of the whole process, with all threads. The instructions of a
//! round are the difference of 12,000 and 2,000 rounds, so the start of the process does not count.
//! A clock that each call moves by 2 µs makes the length of a tick independent of the load.
#![allow(clippy::duplicate_mod, reason = "the operations are compiled twice")]

mod clock;

#[path = "../machines/instructions.rs"]
mod instructions;

#[allow(unused_macros, reason = "redefined below")]
macro_rules! subject {
    ($($function:tt)*) => { $($function)* };
}

#[path = "rows.rs"]
mod plain;

macro_rules! subject {
    ($($function:tt)*) => { #[volt::state_machine] $($function)* };
}

#[path = "rows.rs"]
mod machine;

mod limits;

use self::limits::Count;

/// The number of rounds of the two runs of an operation.
const ROUNDS: [u32; 2] = [2_000, 12_000];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [run, operation, kind, rounds] = args.as_slice()
        && run == instructions::RUN
    {
        let rounds = rounds.parse().expect("a number of rounds");
        return run_one(operation, kind, rounds);
    }
    if !instructions::can_be_counted() {
        println!("!!! SKIPPED: valgrind, which counts instructions, is not installed");
        return;
    }
    // `cargo test --benches` starts the program without an argument.
    if args.is_empty() {
        return run_all_once();
    }
    let filter = args.iter().find(|arg| !arg.starts_with("--"));
    let counts = count_all(filter.map_or("", String::as_str));
    let is_check = args.iter().any(|arg| arg == "--check");
    if let (true, Err(error)) = (is_check, limits::check(&counts)) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// Runs one operation, under valgrind.
fn run_one(operation: &str, kind: &str, rounds: u32) {
    let rows = match kind {
        "machine" => machine::ROWS,
        _ => plain::ROWS,
    };
    let row = rows.iter().find(|(name, _)| *name == operation);
    let (_, run) = row.expect("the operation exists");
    let runtime = volt::Builder::new().worker_threads(1).build();
    run(&runtime.expect("a runtime"), rounds);
}

fn run_all_once() {
    for kind in ["plain", "machine"] {
        for (name, _) in plain::ROWS {
            run_one(name, kind, 2);
        }
    }
}

/// Counts the operations whose names contain `filter`, and prints each of them.
fn count_all(filter: &str) -> Vec<Count> {
    println!("| operation | plain | bytes | machine | bytes |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let (plain_sizes, machine_sizes) = (plain::sizes(), machine::sizes());
    let mut counts = Vec::new();
    for (index, (name, _)) in plain::ROWS.iter().enumerate() {
        if !name.contains(filter) {
            continue;
        }
        let count = |kind| instructions::count(name, kind, ROUNDS).expect("valgrind counts");
        let count = Count {
            name,
            plain: count("plain"),
            machine: count("machine"),
            sizes: [plain_sizes[index], machine_sizes[index]],
        };
        let Count { plain, machine, .. } = count;
        let [of_plain, of_machine] = count.sizes;
        println!("| {name} | {plain:.1} | {of_plain} | {machine:.1} | {of_machine} |");
        counts.push(count);
    }
    counts
}
