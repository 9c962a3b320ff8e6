//! The command line.

use lexopt::prelude::*;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Shows how large machines are beside the compiler's futures of the same functions.

Usage: sizes [OPTIONS]

Options:
  --write     also put the table into the book, book/src/sizes.md
  --check     also look whether it is the one that the book shows
  -h, --help  print this

Exit codes: 0 all is well, 1 a machine is larger than the compiler's future or the book shows other
sizes, 2 the command line is wrong.
";

/// The use of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    Print,
    Write,
    Check,
}

/// Reads the command line. Returns `None` if help is requested.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Option<Task>, lexopt::Error> {
    let mut task = Task::Print;
    while let Some(argument) = parser.next()? {
        match argument {
            Long("write") => task = Task::Write,
            Long("check") => task = Task::Check,
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(task))
}
