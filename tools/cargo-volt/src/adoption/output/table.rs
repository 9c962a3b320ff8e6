//! Verdicts, for people.

use std::fmt::Write;

use anstyle::Style;

use crate::reason::Reason;
use crate::scan::Kind;
use crate::suites::{Comparison, Ending, Endings, Test};
use crate::terminal::{Align, BAD, EMPHASIS, FAINT, GOOD, NOTICE, TextTable, styled};
use crate::verdict::{FunctionOutcome, FunctionReport, ProjectReport};

/// A verdict on one page: the counts, and each function that is not explicit.
pub(crate) fn page(verdict: &ProjectReport) -> String {
    let mut table = TextTable::new(&[
        ("layout", Align::Left),
        ("function", Align::Left),
        ("place", Align::Left),
        ("reason", Align::Left),
    ]);
    for one in &verdict.functions {
        if let Some(reason) = &one.reason {
            let plain = |text| (Style::new(), text);
            table.push(vec![
                (style(one.outcome), one.outcome.word().to_owned()),
                (EMPHASIS, one.name.clone()),
                (FAINT, format!("{}:{}", one.file, one.line)),
                plain(reason_text(one, reason)),
            ]);
        }
    }
    let mut page = counts(verdict);
    if !table.is_empty() {
        page.push('\n');
        page.push_str(&table.page());
    }
    page
}

fn style(outcome: FunctionOutcome) -> Style {
    match outcome {
        FunctionOutcome::Explicit => GOOD,
        FunctionOutcome::Native | FunctionOutcome::Boxed => NOTICE,
        FunctionOutcome::Refused => BAD,
        FunctionOutcome::Unseen => FAINT,
        FunctionOutcome::Found => Style::new(),
    }
}

/// Returns the text of a reason, with its line if that is not the line of the function.
fn reason_text(one: &FunctionReport, reason: &Reason) -> String {
    match &reason.place {
        Some((file, line)) if *file == one.file && *line != one.line => {
            format!("{}, line {line}", reason.text)
        }
        Some((file, line)) if *file != one.file => format!("{}, {file}:{line}", reason.text),
        Some(_) | None => reason.text.clone(),
    }
}

/// The counts, and the functions that are not explicit by their reasons.
pub(crate) fn reasons(verdict: &ProjectReport) -> String {
    let mut page = counts(verdict);
    page.push('\n');
    for (outcome, group, all) in verdict.by_reason() {
        line(
            &mut page,
            format_args!(
                "{:4}  {}  {group}",
                all.len(),
                styled(style(outcome), &format!("{:13}", outcome.word()))
            ),
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
        let name = styled(EMPHASIS, &format!("{name:16}"));
        line(&mut page, format_args!("{name}{text}"));
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
            " (the macro reports no layouts: all functions that build, or that a cfg hides)"
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

/// Returns a table with one line for each project.
pub(crate) fn rows(results: &[(String, Result<ProjectReport, String>)]) -> String {
    let mut table = TextTable::new(&[
        ("project", Align::Left),
        ("functions", Align::Right),
        ("explicit", Align::Right),
        ("native", Align::Right),
        ("boxed", Align::Right),
        ("refused", Align::Right),
        ("not built", Align::Right),
        ("tests before, after, worse", Align::Left),
    ]);
    for (name, result) in results {
        let mut row = vec![(EMPHASIS, name.clone())];
        match result {
            Ok(report) => row.extend(row_of(report)),
            Err(error) => {
                let first = error.lines().next().unwrap_or_default();
                row.resize(COUNTS.len() + 2, (BAD, String::new()));
                row.push((BAD, first.to_owned()));
            }
        }
        table.push(row);
    }
    table.page()
}

/// The outcomes with a column each.
const COUNTS: [FunctionOutcome; 5] = [
    FunctionOutcome::Explicit,
    FunctionOutcome::Native,
    FunctionOutcome::Boxed,
    FunctionOutcome::Refused,
    FunctionOutcome::Unseen,
];

fn row_of(report: &ProjectReport) -> Vec<(Style, String)> {
    let passed = |endings: &Endings| {
        let endings = endings.values();
        endings.filter(|one| **one == Ending::Passed).count()
    };
    let counts = COUNTS.map(|outcome| (style(outcome), report.count(outcome).to_string()));
    let tests = match &report.tests {
        Some(tests) => format!(
            "{} {} {}",
            passed(&tests.before),
            passed(&tests.after),
            tests.worse.len()
        ),
        None => "not run".to_owned(),
    };
    let mut row = vec![(Style::new(), report.functions.len().to_string())];
    row.extend(counts);
    row.push((Style::new(), tests));
    row
}
