//! The commands, with examples in the help of each.

use clap::{Parser, Subcommand, ValueEnum};

use crate::adoption::{CorpusArgs, RustcTestsArgs, TryArgs};

const EXAMPLES: &str = "\
Examples:
  cargo volt try .                       the layouts of a project without volt
  cargo volt completions bash            a completion script

Exit codes:
  0  success
  1  the command failed, or found something that is worse than before
  2  the command line is wrong";

const TRY_HELP: &str = "\
The project is copied to the work folder and is not changed. The copy is built and tested without
the attribute, then with it. A function with an error is tried with other options, and is finally
left without the attribute, until the project builds. Then its tests run again and are compared.
Building a project runs its build scripts and macros, and testing it runs its programs.

Examples:
  cargo volt try .                           this project, with its tests
  cargo volt try . --check                   quicker: no executables, no tests
  cargo volt try . -p server --reasons       one package, grouped by reason
  cargo volt try --crate mini-redis@0.4.1    a published crate
  cargo volt try . --json=layouts.json       also write the results to a file

Exit codes:
  0  evaluated, and no test is worse
  1  a test is worse, or the project could not be evaluated
  2  the command line is wrong";

const CORPUS_HELP: &str = "\
A line of the list has the form OWNER/NAME COMMIT [OPTIONS], and text after `#` is ignored. The
project is searched at FOLDER/OWNER/NAME, FOLDER/OWNER/NAME.git or FOLDER/NAME, or is cloned from
ADDRESS/OWNER/NAME.

Examples:
  cargo volt corpus --list projects.txt --from ../checkouts --check
  cargo volt corpus --list projects.txt --from https://github.com --only axum --json=out.json

Exit codes:
  0  all projects are evaluated, and no test is worse
  1  a test is worse, or a project could not be evaluated
  2  the command line is wrong";

const RUSTC_TESTS_HELP: &str = "\
The files below the folder that pass on stable Rust are compiled, and run if required, without and
with the attribute. Rejected and differing tests are printed and counted.

Example:
  cargo volt rustc-tests --from rust/tests/ui/async-await

Exit codes:
  0  no test differs
  1  a test differs, or the tests could not be evaluated
  2  the command line is wrong";

const COMPLETIONS_HELP: &str = "\
The script completes `cargo-volt`, the name of the program.

Examples:
  cargo volt completions bash > ~/.local/share/bash-completion/completions/cargo-volt
  cargo volt completions zsh  > ~/.zfunc/_cargo-volt
  cargo volt completions fish > ~/.config/fish/completions/cargo-volt.fish";

/// The command-line tool of volt.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-volt",
    bin_name = "cargo volt",
    version,
    after_help = EXAMPLES,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub(crate) struct CommandLine {
    /// Colours of the output; `auto` follows NO_COLOR, and uses none in pipes
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The use of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Put the attribute on every async function of a project, in a copy, and report the layouts
    #[command(after_help = TRY_HELP)]
    Try(Box<TryArgs>),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Evaluate many projects as `try` does
    #[command(after_help = CORPUS_HELP)]
    Corpus(Box<CorpusArgs>),
    /// Compare the compiler's own async tests with and without the attribute
    #[command(after_help = RUSTC_TESTS_HELP)]
    RustcTests(Box<RustcTestsArgs>),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::CommandLine;

    #[test]
    fn command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_and_exit_codes() {
        let line = CommandLine::command();
        for command in line.get_subcommands() {
            let help = command.get_after_help().expect("a help text").to_string();
            let name = command.get_name();
            assert!(help.contains(&format!("cargo volt {name}")), "{name}");
            let is_covered = help.contains("Exit codes:") || name == "completions";
            assert!(is_covered, "{name}");
        }
    }
}
