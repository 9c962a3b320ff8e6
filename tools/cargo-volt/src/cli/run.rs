//! The run of a command, and its exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::{CommandFactory, Parser};

use super::command_line::{Color, Command, CommandLine};
use crate::adoption::{run_corpus, run_one, run_rustc_tests};
use crate::context::Outcome;
use crate::inspection::{diff, dump, top};
use crate::machines::{expand, sizes};
use crate::terminal::{BAD, print, styled};

/// Runs the command line. Its first argument is the name of the program.
pub(crate) fn run(mut arguments: Vec<OsString>) -> ExitCode {
    // Cargo calls `cargo-volt volt try` for `cargo volt try`.
    if arguments.get(1).is_some_and(|word| word == "volt") {
        arguments.remove(1);
    }
    let line = CommandLine::parse_from(&arguments);
    let choice = match line.color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    choice.write_global();
    match execute(line.command, &arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            anstream::eprintln!("{}: {error}", styled(BAD, "error"));
            ExitCode::FAILURE
        }
    }
}

/// Executes a command. Returns `true` if its exit code is 0.
fn execute(command: Command, arguments: &[OsString]) -> Outcome<bool> {
    match command {
        Command::Try(arguments) => run_one(&arguments.into_options()),
        Command::Sizes(arguments) => sizes(&arguments).map(|()| true),
        Command::Expand(arguments) => expand(&arguments).map(|()| true),
        Command::Dump(arguments) => dump(&arguments).map(|()| true),
        Command::Top(arguments) => top(&arguments).map(|()| true),
        Command::Diff(arguments) => diff(&arguments).map(|()| true),
        #[cfg(feature = "durable")]
        Command::Durable(arguments) => crate::durable::durable(&arguments),
        Command::Completions { shell } => completions(shell).map(|()| true),
        Command::Corpus(corpus) => run_corpus(&corpus, after(arguments, "corpus")),
        Command::RustcTests(arguments) => run_rustc_tests(&arguments),
    }
}

/// Returns the arguments after the name of the command.
fn after<'a>(arguments: &'a [OsString], command: &str) -> &'a [OsString] {
    let at = arguments.iter().position(|word| word == command);
    arguments.get(at.map_or(0, |at| at + 1)..).unwrap_or(&[])
}

fn completions(shell: clap_complete::Shell) -> Outcome<()> {
    let mut script = Vec::new();
    let mut command = CommandLine::command();
    clap_complete::generate(shell, &mut command, "cargo-volt", &mut script);
    print(&String::from_utf8_lossy(&script))
}
