//! The attribute on code that knows nothing of volt: what of it works as it stands?
//!
//! `cargo run --release -p adopt -- PATH`
//!
//! ```text
//! copy ──▶ add volt ──▶ build, test ──▶ find every async fn ──▶ attribute on each ──▶ build ──▶ test
//! origin   manifest     cargo, suites   workspace, scan         rewrite ▲              │ errors
//!                                                                trials └── blame ◀────┘
//! ```
//!
//! Attributes are put on lines that are there, so that lines keep their numbers. An error is led back
//! to the function that it is about, also out of macros; that function is tried otherwise and at last
//! goes without, until everything builds. What each became, the macro tells: see `report`. `--help`
//! tells the options.

mod outcome;
mod paths;
mod command;
mod report;
mod scan;
mod rewrite;
mod strip;
mod diagnostic;
mod reason;
mod manifest;
mod origin;
mod workspace;
mod cargo;
mod suites;
mod subjects;
mod blame;
mod trials;
mod options;
mod verdict;
mod project;
mod table;
mod data;
mod corpus;
mod rustc_wanted;
mod rustc_tests;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use options::{Command, HELP, Options};
use outcome::{Doing, Outcome};
use serde_json::Value;

fn main() -> ExitCode {
    let command = match options::parse(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("adopt: {error}\n`adopt --help` tells what there is");
            return ExitCode::from(2);
        }
    };
    let done = match command {
        Command::Help => printed(HELP).map(|()| true),
        Command::One(options) => one(&options),
        Command::RustcTests(folder, options) => {
            rustc_tests::work(&folder, &options.volt, &options.attribute)
                .and_then(|(page, is_well)| printed(&page).map(|()| is_well))
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

/// Judges one project; says whether no test is worse.
fn one(options: &Options) -> Outcome<bool> {
    let verdict = project::work(options)?;
    let page = match options.reasons {
        true => table::reasons(&verdict),
        false => table::page(&verdict),
    };
    printed(&page)?;
    write_data(options.json.as_deref(), &data::data(&verdict))?;
    Ok(verdict.is_well())
}

/// Judges each project; one that cannot be judged does not keep the others from it.
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
    let is_well = |result: &Outcome<_>| result.as_ref().is_ok_and(verdict::Verdict::is_well);
    Ok(results.iter().all(|(_, result)| is_well(result)))
}

fn write_data(file: Option<&Path>, value: &Value) -> Outcome<()> {
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, format!("{value:#}\n")).doing(|| format!("writing {}", file.display()))
}

/// Prints it, for as long as anybody reads on.
fn printed(text: &str) -> Outcome<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
