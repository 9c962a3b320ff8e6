//! Verdicts, for people.

use std::fmt::Write;

use crate::scan::Kind;
use crate::suites::{Comparison, Ending, Endings, Test};
use crate::verdict::{FunctionOutcome, FunctionReport, ProjectReport};

/// A verdict on one page: the counts, and each function that is not explicit.
pub(crate) fn page(verdict: &ProjectReport) -> String {
    let mut page = counts(verdict);
    let listed = verdict.functions.iter().filter(|one| one.reason.is_some());
    let listed: Vec<_> = listed.collect();
    if !listed.is_empty() {
        page.push('\n');
    }
    for one in listed {
        let reason = one.reason.as_ref().map(|reason| reason.text.as_str());
        let reason = reason.unwrap_or_default();
        line(
            &mut page,
            format_args!("{:13}  {}  {reason}", one.outcome.word(), place(one)),
        );
    }
    page
}

/// The counts, and the functions that are not explicit by their reasons.
pub(crate) fn reasons(verdict: &ProjectReport) -> String {
    let mut page = counts(verdict);
    page.push('\n');
    for (outcome, group, all) in verdict.by_reason() {
        line(
            &mut page,
            format_args!("{:4}  {:13}  {group}", all.len(), outcome.word()),
        );
        line(
            &mut page,
            format_args!("{:21}for example {}", "", place(all[0])),
        );
    }
    page
}

fn line(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(page, "{}", text.to_string().trim_end());
}

fn place(one: &FunctionReport) -> String {
    format!("{}:{} {}", one.file, one.line, one.name)
}

fn counts(verdict: &ProjectReport) -> String {
    let mut page = String::new();
    let mut row = |name: &str, text: String| {
        line(&mut page, format_args!("{name:16}{text}"));
    };
    let commit = verdict.commit.as_deref().unwrap_or_default();
    row("project", format!("{} {commit}", verdict.name));
    row("packages", verdict.packages.join(", "));
    row("functions", kinds(verdict));
    for outcome in [
        FunctionOutcome::Explicit,
        FunctionOutcome::Native,
        FunctionOutcome::Boxed,
        FunctionOutcome::Refused,
        FunctionOutcome::Unseen,
    ] {
        if verdict.count(FunctionOutcome::Found) == 0 {
            row(
                outcome.word(),
                format!("{:5}{}", verdict.count(outcome), remark(verdict, outcome)),
            );
        }
    }
    if verdict.count(FunctionOutcome::Found) < verdict.functions.len() {
        row("with a machine", shares(verdict));
        row("  of these", parts(verdict));
    }
    row(
        "left as they are",
        format!(
            "{:5} methods of traits, {} in tokens of macros",
            verdict.of_traits, verdict.in_macros
        ),
    );
    for (file, error) in &verdict.unread {
        row("not read", format!("      {file}: {error}"));
    }
    if let Some(tests) = &verdict.tests {
        tests_of(tests, &mut row);
    }
    if verdict.builds > 0 {
        let took = verdict.took.as_secs();
        row("builds", format!("{:5} in {took} s", verdict.builds));
    }
    page
}

fn kinds(verdict: &ProjectReport) -> String {
    let of = |kind| {
        verdict
            .functions
            .iter()
            .filter(|one| one.kind == kind)
            .count()
    };
    let generic = verdict.functions.iter().filter(|one| one.generic).count();
    format!(
        "{:5} ({} free, {} methods, {} programs and tests; {generic} generic)",
        verdict.functions.len(),
        of(Kind::Free),
        of(Kind::Method),
        of(Kind::Entry)
    )
}

fn remark(verdict: &ProjectReport, outcome: FunctionOutcome) -> &'static str {
    match outcome {
        FunctionOutcome::Explicit if !verdict.reported => {
            " (the macro reports no layouts: whatever builds, and what a cfg hides)"
        }
        FunctionOutcome::Unseen => " (a file or a cfg that is not built)",
        _ => "",
    }
}

fn shares(verdict: &ProjectReport) -> String {
    let all = verdict.tried(|_| true);
    let plain = verdict.tried(|one| !one.generic);
    let native = verdict
        .functions
        .iter()
        .filter(|one| one.native_option)
        .count();
    let named = verdict.functions.iter().filter(|one| one.named).count();
    format!(
        "{:5} of {}{}; of those that are not generic {} of {}{}; by the option `native` {native}, by \
         another name {named}",
        all.1,
        all.0,
        percent(all),
        plain.1,
        plain.0,
        percent(plain)
    )
}

/// How many have a machine in the sources proper, and in tests, examples and benchmarks.
fn parts(verdict: &ProjectReport) -> String {
    let (all, some) = verdict.tried(|one| !one.is_aside());
    let (all_aside, some_aside) = verdict.tried(FunctionReport::is_aside);
    format!("{some:5} of {all} in sources, {some_aside} of {all_aside} in tests and examples")
}

fn percent((all, some): (usize, usize)) -> String {
    match (some * 1000).checked_div(all) {
        Some(tenths) => format!(" ({}.{} %)", tenths / 10, tenths % 10),
        None => String::new(),
    }
}

fn tests_of(tests: &Comparison, row: &mut impl FnMut(&str, String)) {
    row("tests before", endings(&tests.before));
    row("tests after", endings(&tests.after));
    let name = |test: &Test| format!("      {}, {}: {}", test.0, test.1, test.2);
    for test in &tests.worse {
        row("worse", name(test));
    }
    for test in &tests.unsteady {
        row("unsteady", name(test));
    }
}

fn endings(endings: &Endings) -> String {
    let of = |wanted| endings.values().filter(|ending| **ending == wanted).count();
    format!(
        "{:5} passed, {} failed, {} ignored, {} out of time",
        of(Ending::Passed),
        of(Ending::Failed),
        of(Ending::Ignored),
        of(Ending::TimedOut)
    )
}

/// One line a project.
pub(crate) fn rows(results: &[(String, Result<ProjectReport, String>)]) -> String {
    let mut page = String::new();
    line(
        &mut page,
        format_args!(
            "{:32} {:>9} {:>8} {:>6} {:>6} {:>7} {:>9}  tests before, after, worse",
            "project", "functions", "explicit", "native", "boxed", "refused", "not built"
        ),
    );
    for (name, result) in results {
        match result {
            Ok(verdict) => line(&mut page, format_args!("{name:32} {}", row_of(verdict))),
            Err(error) => {
                let first = error.lines().next().unwrap_or_default();
                line(&mut page, format_args!("{name:32} {first}"));
            }
        }
    }
    page
}

fn row_of(verdict: &ProjectReport) -> String {
    let of = |outcome| verdict.count(outcome);
    let passed = |endings: &Endings| {
        endings
            .values()
            .filter(|one| **one == Ending::Passed)
            .count()
    };
    if of(FunctionOutcome::Found) > 0 {
        return format!("{:9}  found", verdict.functions.len());
    }
    let tests = match &verdict.tests {
        Some(tests) => format!(
            "{} {} {}",
            passed(&tests.before),
            passed(&tests.after),
            tests.worse.len()
        ),
        None => "not run".to_owned(),
    };
    format!(
        "{:9} {:8} {:6} {:6} {:7} {:9}  {tests}",
        verdict.functions.len(),
        of(FunctionOutcome::Explicit),
        of(FunctionOutcome::Native),
        of(FunctionOutcome::Boxed),
        of(FunctionOutcome::Refused),
        of(FunctionOutcome::Unseen)
    )
}
