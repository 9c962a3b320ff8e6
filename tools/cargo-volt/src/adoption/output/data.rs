//! Reports of projects, as JSON.

use serde_json::{Value, json};

use crate::scan::Kind;
use crate::suites::{Ending, Endings, Test};
use crate::verdict::{FunctionReport, ProjectReport};

/// A verdict as JSON.
pub(crate) fn data(verdict: &ProjectReport) -> Value {
    let tests = verdict.tests.as_ref().map(|tests| {
        json!({
            "before": endings(&tests.before),
            "after": endings(&tests.after),
            "worse": names(&tests.worse),
            "unsteady": names(&tests.unsteady),
        })
    });
    json!({
        "project": verdict.name,
        "commit": verdict.commit,
        "packages": verdict.packages,
        "reported": verdict.reported,
        "builds": verdict.builds,
        "seconds": verdict.took.as_secs(),
        "methods_of_traits": verdict.of_traits,
        "in_macros": verdict.in_macros,
        "unread": verdict.unread,
        "functions": verdict.functions.iter().map(function).collect::<Vec<_>>(),
        "tests": tests,
    })
}

/// The data of a project that could not be evaluated.
pub(crate) fn failed(name: &str, error: &str) -> Value {
    json!({ "project": name, "error": error })
}

fn function(one: &FunctionReport) -> Value {
    let reason = one.reason.as_ref();
    json!({
        "file": one.file,
        "line": one.line,
        "name": one.name,
        "kind": kind(one.kind),
        "generic": one.generic,
        "outcome": one.outcome.word(),
        "native_option": one.native_option,
        "name_option": one.named,
        "reason": reason.map(|reason| &reason.text),
        "group": reason.map(crate::reason::Reason::group),
        "reason_place": reason.and_then(|reason| reason.place.as_ref()),
    })
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Free => "free",
        Kind::Entry => "entry",
        Kind::Method => "method",
        Kind::OfTrait => "method of a trait",
    }
}

fn endings(endings: &Endings) -> Value {
    let of = |wanted| endings.values().filter(|ending| **ending == wanted).count();
    json!({
        "passed": of(Ending::Passed),
        "failed": of(Ending::Failed),
        "ignored": of(Ending::Ignored),
        "out_of_time": of(Ending::TimedOut),
    })
}

fn names(tests: &[Test]) -> Vec<String> {
    let names = tests
        .iter()
        .map(|(package, target, name)| format!("{package}, {target}: {name}"));
    names.collect()
}
