//! The commands, with examples in the help of each.

use clap::{Parser, Subcommand, ValueEnum};

use crate::adoption::{CorpusArgs, RustcTestsArgs, TryArgs};
use crate::inspection::{DiffArgs, DumpArgs, TopArgs};
use crate::machines::{ExpandArgs, SizesArgs};

const EXAMPLES: &str = "\
Examples:
  cargo volt try .                       the layouts of a project without volt
  cargo volt sizes --summary             the machines of this crate, largest first
  cargo volt expand Conn::read           the code that the macro writes for a method
  cargo volt dump :6680                  the tasks of a running program
  cargo volt durable list orders.db      the durable machines of a store
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

const SIZES_HELP: &str = "\
The crate is checked by cargo in the folder `cargo-volt` of its target folder. The macro reports the
size of each machine without type parameters, and of explicit machines the contents of each state.

Examples:
  cargo volt sizes                           each machine with its states
  cargo volt sizes --summary                 one line for each machine
  cargo volt sizes --only Conn --json        the machines with `Conn` in their names, as JSON
  cargo volt sizes --html sizes.html         a page with the layouts drawn

Exit codes:
  0  the sizes are printed
  1  the crate does not build, or has no machine
  2  the command line is wrong";

const EXPAND_HELP: &str = "\
The crate is checked by cargo in the folder `cargo-volt` of its target folder. The code is formatted,
and parts that macros of volt add are left out.

Examples:
  cargo volt expand                          the functions of this crate, with their layouts
  cargo volt expand Conn::read               the expansion of a method
  cargo volt expand ../server read_frame     a function of another crate

Exit codes:
  0  the expansion is printed
  1  the crate does not build, or has no such function
  2  the command line is wrong";

const DUMP_HELP: &str = "\
The program needs volt's feature `inspect` and an inspection server, for example by the variable
VOLT_INSPECT=127.0.0.1:6680, or VOLT_INSPECT=unix, where the id of its process finds it.

Examples:
  cargo volt dump :6680                      all tasks, as text
  cargo volt dump 4711 --groups              the groups of the tasks of the process 4711
  cargo volt dump /run/volt/api.sock --json > before.json
  cargo volt dump :6680 --task 3.1           one task, with the futures in it
  cargo volt dump :6680 --group 9c0e5f1a     the tasks of one group, by its `key` in the JSON

Exit codes:
  0  the dump is printed
  1  the program has no server, or the server refuses
  2  the command line is wrong";

const TOP_HELP: &str = "\
The screen has the findings, then the groups of tasks that wait at the same place, with the change
since the request before. Enter opens a group and then a task with the futures in it; escape returns.

Examples:
  cargo volt top :6680                       a screen; `q` ends it
  cargo volt top 4711 --interval 5           one request in five seconds
  cargo volt top :6680 --once                the groups once, for scripts

Exit codes:
  0  the screen was closed, or the groups are printed
  1  the program has no server, or the output is not a terminal
  2  the command line is wrong";

const DIFF_HELP: &str = "\
Tasks are compared by their ids, and groups by their keys. A task that was not polled between the
dumps is a candidate for a hang.

Examples:
  cargo volt diff before.json after.json     two files of `cargo volt dump --json`
  cargo volt diff before.json :6680          a file, and the program now
  cargo volt diff before.json after.json --json    the JSON of volt's `DumpDiff`

Exit codes:
  0  the difference is printed
  1  a dump cannot be read, or the dumps are of different runtimes
  2  the command line is wrong";

#[cfg(feature = "durable")]
const DURABLE_HELP: &str = "\
The store is a SQLite file, or a PostgreSQL database without TLS. It needs no worker: the machines
of stopped programs are shown too. Values of the type `Secret` are hidden.

Examples:
  cargo volt durable list orders.db --groups            the number of machines in each state
  cargo volt durable list orders.db --status parked     the machines that have failed
  cargo volt durable show postgres://localhost/orders 7 the values of machine 7
  cargo volt durable retry orders.db 7 8                two machines, without their delay
  cargo volt durable resume orders.db --type Fulfil     all parked machines of a type
  cargo volt durable cancel orders.db 7                 a request, which the code receives

Exit codes:
  0  the machines are printed, or have changed
  1  the store cannot be opened, or a machine has not changed
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
    /// Show the size of each machine of a crate, and the contents of its states
    #[command(after_help = SIZES_HELP)]
    Sizes(Box<SizesArgs>),
    /// Show the expansion of a function, with its layout and the reason
    #[command(after_help = EXPAND_HELP)]
    Expand(Box<ExpandArgs>),
    /// Show the tasks of a running program
    #[command(after_help = DUMP_HELP)]
    Dump(Box<DumpArgs>),
    /// Show the groups of tasks of a running program on a screen that is updated
    #[command(after_help = TOP_HELP)]
    Top(Box<TopArgs>),
    /// Show the difference of two dumps of a program
    #[command(after_help = DIFF_HELP)]
    Diff(Box<DiffArgs>),
    /// List the durable machines of a store, and retry, resume or cancel them
    #[cfg(feature = "durable")]
    #[command(after_help = DURABLE_HELP)]
    Durable(Box<crate::durable::DurableArgs>),
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
