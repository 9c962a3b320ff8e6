//! Puts the attribute on the async functions of a project without volt, and reports which of them
//! work.
//!
//! `cargo run --release -p adopt -- PATH`
//!
//! ```text
//! copy ──▶ add volt ──▶ build, test ──▶ find every async fn ──▶ attribute on each ──▶ build ──▶ test
//! origin   manifest     cargo, suites   workspace, scan         rewrite ▲              │ errors
//!                                                                bisect └── blame ◀────┘
//! ```
//!
//! Attributes are inserted on existing lines, so that line numbers stay the same. Each error is
//! attributed to a function, also through macros. That function is tried with other options, and is
//! finally left without the attribute, until the project builds. The macro reports the layout of
//! each function: see `report`. `--help` lists the options.

mod context;

mod build;
mod source;

use self::build::{cargo, command, diagnostic, suites};
use self::source::{manifest, origin, paths, rewrite, scan, strip, workspace};

mod output;
mod search;

use self::output::{data, report, table, verdict};
use self::search::{bisect, blame, reason, subjects};

mod options;
mod project;
mod corpus;
mod rustc_wanted;
mod rustc_tests;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use context::{Context, Outcome};
use options::{Command, HELP, Options};
use serde_json::Value;

fn main() -> ExitCode {
    let command = match options::parse(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("adopt: {error}\n`adopt --help` lists the options");
            return ExitCode::from(2);
        }
    };
    let done = match command {
        Command::Help => printed(HELP).map(|()| true),
        Command::One(options) => one(&options),
        Command::RustcTests(folder, options) => {
            rustc_tests::work(&folder, &options.volt, &options.attribute)
                .and_then(|(page, is_no_worse)| printed(&page).map(|()| is_no_worse))
        }
        Command::Corpus(list, options) => {
            corpus::projects(&list, &options).and_then(|projects| all(&projects, &options))
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("adopt: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Evaluates one project. Returns `true` if no test is worse.
fn one(options: &Options) -> Outcome<bool> {
    let verdict = project::work(options)?;
    let page = match options.reasons {
        true => table::reasons(&verdict),
        false => table::page(&verdict),
    };
    printed(&page)?;
    write_data(options.json.as_deref(), &data::data(&verdict))?;
    Ok(verdict.is_no_worse())
}

/// Evaluates each project. A project that fails does not stop the others.
fn all(projects: &[Options], options: &Options) -> Outcome<bool> {
    let mut results = Vec::new();
    for project in projects {
        let name = project.name.clone().unwrap_or_default();
        let result = project::work(project);
        match &result {
            Ok(verdict) if options.reasons => printed(&(table::reasons(verdict) + "\n"))?,
            Ok(_) => {}
            Err(error) => eprintln!("adopt: {error}"),
        }
        results.push((name, result));
        let values = results.iter().map(|(name, result)| match result {
            Ok(verdict) => data::data(verdict),
            Err(error) => data::failed(name, error),
        });
        write_data(options.json.as_deref(), &values.collect::<Value>())?;
    }
    printed(&table::rows(&results))?;
    let is_no_worse = |result: &Outcome<_>| {
        result
            .as_ref()
            .is_ok_and(verdict::ProjectReport::is_no_worse)
    };
    Ok(results.iter().all(|(_, result)| is_no_worse(result)))
}

fn write_data(file: Option<&Path>, value: &Value) -> Outcome<()> {
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, format!("{value:#}\n")).context(|| format!("writing {}", file.display()))
}

/// Prints a text, until the reader closes the pipe.
fn printed(text: &str) -> Outcome<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
