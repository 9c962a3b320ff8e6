//! Differential testing: random functions, each compiled by rustc as it is and with the macro.
//!
//! `cargo run --release -p difftest -- --seed 1 --count 1000`
//!
//! ```text
//! generate ──▶ screen ──▶ compile both versions ──▶ run them in every way ──▶ compare
//!   seed       the macro   rustc, one program         script × (completion, cancellation at
//!              in process  a batch                    each suspend, panic at each event)
//! ```
//!
//! Functions are generated in families of four that call one another. A family depends only on the
//! seed and its number. A batch is one program with many families.
//!
//! A function on which the versions differ is reduced and printed, and the program fails. Functions
//! that only the macro rejects are counted by message. A function that the compiler rejects is an
//! error of the generator. `--help` lists the options, and explains the output.

macro_rules! macro_modules {
    ($($name:ident = $path:literal;)*) => { $(
        #[path = $path]
        #[allow(dead_code, unreachable_pub, unused_imports, reason = "the macro crate uses it")]
        mod $name;
    )* };
}

macro_modules! {
    names = "../../../../volt-macros/src/names/mod.rs";
    syntax = "../../../../volt-macros/src/syntax/mod.rs";
    errors = "../../../../volt-macros/src/errors/mod.rs";
    options = "../../../../volt-macros/src/options/mod.rs";
    signature = "../../../../volt-macros/src/signature/mod.rs";
    backend = "../../../../volt-macros/src/backend/mod.rs";
    fallback = "../../../../volt-macros/src/fallback/mod.rs";
    resolve = "../../../../volt-macros/src/resolve/mod.rs";
    hir = "../../../../volt-macros/src/hir/mod.rs";
    cfg = "../../../../volt-macros/src/cfg/mod.rs";
    liveness = "../../../../volt-macros/src/liveness/mod.rs";
    layout = "../../../../volt-macros/src/layout/mod.rs";
    explicit = "../../../../volt-macros/src/explicit/mod.rs";
    native = "../../../../volt-macros/src/native/mod.rs";
    pipeline = "../../../../volt-macros/src/pipeline.rs";
    attribute = "../../../../volt-macros/src/attribute/mod.rs";
}

mod command_line;
mod generate;
mod templates;
mod batch;
mod shrink;
mod tally;
mod work;

use std::io::{self, Write};
use std::process::ExitCode;

use command_line::{Command, HELP};

fn main() -> ExitCode {
    let command = match command_line::parse(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(error) => {
            let usage = HELP.lines().find(|line| line.starts_with("Usage:"));
            eprintln!("difftest: {error}\n\n{}", usage.unwrap_or_default());
            eprintln!("`difftest --help` lists the options");
            return ExitCode::from(2);
        }
    };
    let done = match command {
        Command::Help => printed(HELP),
        Command::Show(seed, index, layout, edition) => {
            let functions = work::family(seed, index, layout, edition);
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
            eprintln!("difftest: {error}");
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
