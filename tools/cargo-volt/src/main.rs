//! `cargo volt`: the command-line tool of volt.
//!
//! ```text
//! try      a project without volt: every async function gets the attribute, in a copy
//! sizes    the machines of a crate, largest first, with the contents of their states
//! expand   the expansion of a function, with its layout and the reason
//! dump     the tasks of a running program
//! top      the same, as a screen that is updated
//! diff     the difference of two dumps
//! durable  the machines of a store, listed and repaired
//! ```
//!
//! Each folder has one concern, and uses the folders above it:
//!
//! ```text
//! terminal       styles, tables, progress bars
//! build          cargo and programs, as child processes
//! source         sources: fetched, scanned, rewritten
//! macro_reports  the files that the macro appends to during a build
//! adoption       `try`
//! machines       `sizes`, `expand`
//! inspection     `dump`, `top`, `diff`
//! durable        `durable` (feature `durable`, a default)
//! cli            the command line
//! ```

mod context;
mod terminal;
mod json_args;

mod macro_reports;

use self::macro_reports::layouts;

mod build;
mod source;

use self::build::{cargo, command, diagnostic, suites};
use self::source::{manifest, origin, paths, rewrite, scan, strip, workspace};

mod adoption;

use self::adoption::{bisect, blame, data, reason, subjects, table, verdict};

mod machines;
mod inspection;
#[cfg(feature = "durable")]
mod durable;
mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os().collect())
}
