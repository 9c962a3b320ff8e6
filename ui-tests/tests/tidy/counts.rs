//! Limits for the rules that the workspace does not yet keep.
//!
//! `counts.txt` has a line `rule: crate: limit` for each pair that has violations. A pair without a
//! line has the limit 0. A count above its limit fails the test. A count below it is printed, and
//! does not fail, so that two changes can land in any order. Lower the limits with
//!
//! ```text
//! TIDY_LOWER=1 cargo test -p ui-tests --test tidy limits
//! ```
//!
//! which never raises one. `TIDY_LIST=words:volt` prints all violations of a rule in a crate.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::sync::OnceLock;

use crate::source::{Violation, Workspace, package_of};
use crate::{counted_violations, root};

const FILE: &str = "ui-tests/tests/tidy/counts.txt";

/// The first lines of the file.
const HEAD: &str =
    "# Limits for the violations of a rule in a crate: `rule: crate: limit`. They may only fall.\n";

/// How many violations of a pair a failure prints.
const MOST_PRINTED: usize = 30;

/// The violations of a rule in a crate.
type Counts = BTreeMap<(String, String), usize>;

/// Returns the violations of the workspace, which both tests need.
fn found() -> &'static [Violation] {
    static FOUND: OnceLock<Vec<Violation>> = OnceLock::new();
    FOUND.get_or_init(|| counted_violations(&Workspace::on_disk(&root())))
}

fn count(violations: &[Violation]) -> Counts {
    let mut counts = Counts::new();
    for violation in violations {
        let package = package_of(&violation.path).to_owned();
        let pair = (violation.rule.to_owned(), package);
        *counts.entry(pair).or_default() += 1;
    }
    counts
}

fn parse(text: &str) -> Counts {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let limit = |line: &str| {
        let mut parts = line.split(": ").map(str::to_owned);
        let pair = (parts.next()?, parts.next()?);
        Some((pair, parts.next()?.parse().ok()?))
    };
    lines
        .map(|line| limit(line).unwrap_or_else(|| panic!("{FILE}: `{line}` is not a limit")))
        .collect()
}

fn print(limits: &Counts) -> String {
    let mut text = HEAD.to_owned();
    for ((rule, package), limit) in limits {
        writeln!(text, "{rule}: {package}: {limit}").expect("a string grows");
    }
    text
}

/// Returns the pairs whose count is above the limit.
fn exceeded(counts: &Counts, limits: &Counts) -> Vec<(String, String)> {
    let above = counts
        .iter()
        .filter(|(pair, count)| **count > limits.get(*pair).copied().unwrap_or(0));
    above.map(|(pair, _)| pair.clone()).collect()
}

/// Returns each limit, or the count if that is lower. Limits of 0 are dropped.
fn lowered(counts: &Counts, limits: &Counts) -> Counts {
    let lower = |(pair, limit): (&(String, String), &usize)| {
        let count = counts.get(pair).copied().unwrap_or(0);
        (pair.clone(), count.min(*limit))
    };
    let lowered = limits.iter().map(lower);
    lowered.filter(|(_, limit)| *limit > 0).collect()
}

fn read_limits() -> Counts {
    let text = fs::read_to_string(root().join(FILE)).expect("the limits are a file of ours");
    parse(&text)
}

#[test]
fn counts_are_within_their_limits() {
    let violations = found();
    let counts = count(violations);
    let limits = read_limits();
    let mut report = String::new();
    for (rule, package) in exceeded(&counts, &limits) {
        let pair = (rule, package);
        let limit = limits.get(&pair).copied().unwrap_or(0);
        let (rule, package) = &pair;
        writeln!(
            report,
            "\n{rule} in {package}: {}, {limit} at most; new ones are among:",
            counts[&pair]
        )
        .expect("a string grows");
        let of_pair = violations
            .iter()
            .filter(|violation| violation.rule == rule && package_of(&violation.path) == package);
        for violation in of_pair.take(MOST_PRINTED) {
            writeln!(report, "  {violation}").expect("a string grows");
        }
    }
    assert!(
        report.is_empty(),
        "{report}\n`TIDY_LIST=rule:crate cargo test -p ui-tests --test tidy list` prints all of a pair"
    );
}

/// Prints the limits that can fall, and lowers them on request.
#[test]
fn limits_are_reported_when_they_can_fall() {
    let counts = count(found());
    let limits = read_limits();
    let lowered = lowered(&counts, &limits);
    for (pair, limit) in &limits {
        let count = lowered.get(pair).copied().unwrap_or(0);
        if count < *limit {
            println!("{}: {}: {limit} can fall to {count}", pair.0, pair.1);
        }
    }
    if std::env::var_os("TIDY_LOWER").is_some() {
        fs::write(root().join(FILE), print(&lowered)).expect("the limits can be written");
    }
    assert!(lowered.values().sum::<usize>() <= limits.values().sum());
}

/// Prints the violations of the pair that `TIDY_LIST` names.
#[test]
fn list_prints_violations_of_a_pair() {
    let Ok(pair) = std::env::var("TIDY_LIST") else {
        return;
    };
    let (rule, package) = pair.split_once(':').expect("`TIDY_LIST` is `rule:crate`");
    for violation in found() {
        if violation.rule == rule && package_of(&violation.path) == package {
            println!("{violation}");
        }
    }
}

fn counts_of(pairs: &[(&str, usize)]) -> Counts {
    let pair = |(rule, count): &(&str, usize)| (((*rule).to_owned(), "volt".to_owned()), *count);
    pairs.iter().map(pair).collect()
}

#[test]
fn count_above_its_limit_is_exceeded() {
    let limits = counts_of(&[("words", 3), ("openings", 2)]);
    let counts = counts_of(&[("words", 3), ("openings", 3), ("messages", 1)]);
    let found = exceeded(&counts, &limits);
    let rules: Vec<&str> = found.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(rules, ["messages", "openings"]);
}

#[test]
fn lowered_limits_never_rise() {
    let limits = counts_of(&[("words", 3), ("openings", 2), ("messages", 1)]);
    let counts = counts_of(&[("words", 2), ("openings", 5), ("test names", 4)]);
    assert_eq!(
        lowered(&counts, &limits),
        counts_of(&[("openings", 2), ("words", 2)])
    );
}

#[test]
fn printed_limits_parse_to_the_same() {
    let limits = counts_of(&[("words", 3), ("test names", 2)]);
    assert_eq!(parse(&print(&limits)), limits);
}
