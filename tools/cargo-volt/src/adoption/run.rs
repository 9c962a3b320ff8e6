//! The commands: one project, a list of projects, the tests of the compiler.

use std::ffi::OsString;

use serde_json::Value;

use super::options::{CorpusArgs, Options, RustcTestsArgs};
use super::{corpus, project, rustc_tests};
use crate::context::Outcome;
use crate::data;
use crate::table;
use crate::terminal::print;
use crate::verdict::ProjectReport;

/// Evaluates one project. Returns `true` if no test is worse.
pub(crate) fn run_one(options: &Options) -> Outcome<bool> {
    let report = project::work(options)?;
    let value = data::data(&report);
    if options.json.is_printed() {
        print(&format!("{value:#}\n"))?;
    } else if options.reasons {
        print(&table::reasons(&report))?;
    } else {
        print(&table::page(&report))?;
    }
    options.json.write_file(&format!("{value:#}\n"))?;
    Ok(report.is_no_worse())
}

/// Evaluates each project of a list. A project that fails does not stop the others.
///
/// `command_line` has the options of the command, which the options of each line override.
pub(crate) fn run_corpus(arguments: &CorpusArgs, command_line: &[OsString]) -> Outcome<bool> {
    let options = &arguments.options;
    let projects = corpus::projects(arguments, command_line)?;
    let (mut results, mut value) = (Vec::new(), Value::Null);
    for project in &projects {
        let name = project.name.clone().unwrap_or_default();
        let result = project::work(project);
        match &result {
            Ok(report) if options.reasons && !options.json.is_printed() => {
                print(&(table::reasons(report) + "\n"))?;
            }
            Ok(_) => {}
            Err(error) => anstream::eprintln!("cargo volt: {error}"),
        }
        results.push((name, result));
        let values = results.iter().map(|(name, result)| match result {
            Ok(report) => data::data(report),
            Err(error) => data::failed(name, error),
        });
        value = values.collect();
        options.json.write_file(&format!("{value:#}\n"))?;
    }
    if options.json.is_printed() {
        print(&format!("{value:#}\n"))?;
    } else {
        print(&table::rows(&results))?;
    }
    let is_no_worse = |result: &Outcome<_>| result.as_ref().is_ok_and(ProjectReport::is_no_worse);
    Ok(results.iter().all(|(_, result)| is_no_worse(result)))
}

/// Evaluates the tests of the compiler. Returns `true` if none differs.
pub(crate) fn run_rustc_tests(arguments: &RustcTestsArgs) -> Outcome<bool> {
    let RustcTestsArgs {
        from,
        attribute,
        volt,
    } = arguments;
    let (page, is_no_worse) = rustc_tests::work(from, volt, attribute)?;
    print(&page)?;
    Ok(is_no_worse)
}
