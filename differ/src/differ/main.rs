//! Random functions of the dialect, each as the compiler has it and as the macro has it.
//!
//! `cargo run --release -p differ -- --seed 1 --count 1000`
//!
//! ```text
//! generate ──▶ screen ──▶ compile both versions ──▶ run them in every way ──▶ compare
//!   seed       the macro   rustc, one program         script × (completion, cancellation at
//!              in process  a batch                    each suspend, panic at each event)
//! ```
//!
//! A function on which both versions do not agree is made smaller and printed, and the program
//! fails. What only the macro refuses is counted by its message. What the compiler refuses is a
//! fault of the generator.

#[path = "../../../volt-macros/src/state_machine/mod.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the macro crate uses it"
)]
mod state_machine;

mod options;
mod generate;
mod batch;
mod shrink;
mod tally;

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use batch::{Compiler, Member, Verdict, judge, members};
use generate::{FAMILY, Function, Switches, family};
use options::Options;
use shrink::shrink;
use tally::Tally;

fn main() -> ExitCode {
    let options = match Options::parse() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("differ: {error}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(index) = options.show {
        for function in family(options.seed, index, &Switches::default()) {
            println!("{function}");
        }
        return ExitCode::SUCCESS;
    }
    if let Some(file) = &options.expand {
        return match batch::expanded(file) {
            Ok(code) => {
                println!("{code}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("differ: {error}");
                ExitCode::FAILURE
            }
        };
    }
    match work(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("differ: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Judges all that was asked for; whether both versions agree everywhere.
fn work(options: &Options) -> io::Result<bool> {
    let compiler = Compiler::build()?;
    println!("seed {}, {} functions", options.seed, options.count);
    let families = options.count.div_ceil(FAMILY as u64);
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        let worker = |number| {
            let folder = options.folder.join(format!("worker-{number}"));
            let (compiler, next, tally) = (&compiler, &next, &tally);
            move || -> io::Result<()> {
                loop {
                    let batch = options.batch.div_ceil(FAMILY as u64);
                    let from = next.fetch_add(batch, Ordering::Relaxed);
                    if from >= families {
                        return Ok(());
                    }
                    let chosen = chosen(options.seed, from..families.min(from + batch));
                    for (member, name, verdict) in judge(compiler, &folder, &chosen)? {
                        told(compiler, &folder, &chosen[member], &name, &verdict)?;
                        let mut tally = tally.lock().map_err(|_| io::Error::other("poisoned"))?;
                        tally.add(verdict);
                    }
                }
            }
        };
        let workers: Vec<_> = (0..options.jobs)
            .map(|number| scope.spawn(worker(number)))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .map_err(|_| io::Error::other("a worker panicked"))?
        })
    })?;
    let tally = tally
        .into_inner()
        .map_err(|_| io::Error::other("poisoned"))?;
    println!("{tally}");
    Ok(tally.is_clean(options.refusals))
}

fn chosen(seed: u64, indices: std::ops::Range<u64>) -> Vec<Member> {
    let switches = Switches::default();
    let one = |index| (format!("{seed}/{index}"), family(seed, index, &switches));
    members(indices.map(one).collect())
}

/// Prints what a person has to look at.
fn told(
    compiler: &Compiler,
    folder: &Path,
    member: &Member,
    name: &str,
    verdict: &Verdict,
) -> io::Result<()> {
    let at = format!("{}.{name}", member.name);
    match verdict {
        Verdict::Differs(difference) => {
            let (member, difference) = shrink(compiler, folder, member, name, difference)?;
            let shown = Function::to_string;
            let functions: String = member.functions.iter().map(shown).collect();
            println!("\n=== {at} differs: {difference}\n\n{functions}");
        }
        Verdict::Faulty(message) => println!("faulty {at}: {message}"),
        Verdict::Refused(message) => println!("refused {at}: {message}"),
        _ => {}
    }
    Ok(())
}
