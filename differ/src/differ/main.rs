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
//! Functions come in families of four that call one another; a family is drawn from the seed and
//! its number alone. A batch is many families in one program.
//!
//! A function on which both versions do not agree is made smaller and printed, and the program
//! fails. What only the macro refuses is counted by its message. What the compiler refuses is a
//! fault of the generator. `--help` tells the options, and how to read what is printed.

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
mod anything;
mod batch;
mod shrink;
mod tally;
mod work;

use std::io::{self, Write};
use std::process::ExitCode;

use options::{Command, HELP};

fn main() -> ExitCode {
    let command = match options::parse(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(error) => {
            let usage = HELP.lines().find(|line| line.starts_with("Usage:"));
            eprintln!("differ: {error}\n\n{}", usage.unwrap_or_default());
            eprintln!("`differ --help` tells what there is");
            return ExitCode::from(2);
        }
    };
    let done = match command {
        Command::Help => printed(HELP),
        Command::Show(seed, index, layout) => {
            let functions = work::family(seed, index, layout);
            let lines: Vec<String> = functions.iter().map(|one| format!("{one}\n")).collect();
            printed(&lines.concat())
        }
        Command::Expand(file) => batch::expanded(&file).and_then(|code| printed(&code)),
        Command::Run(options) => work::work(&options),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("differ: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints it, for as long as anybody reads on.
fn printed(text: &str) -> io::Result<bool> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(true),
    }
}
