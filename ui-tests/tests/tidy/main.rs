//! The structure of the workspace, its code and its language, checked by reading the files as text.
//!
//! ```text
//! read: tokens, quoted ──▶ reading ──┐
//!       prose, definitions ──────────┴─▶ source ──▶ modules
//!                                           │          │
//!               unsafety, code, language ◀──┘          └──▶ structure
//! ```
//!
//! Every rule is a pure function from the files of a workspace to its violations. The tests of a
//! rule show that it finds exactly the fault of a text that breaks it, while all other rules find
//! nothing, and that it finds nothing in a text that follows it.
//!
//! A violation names the place, the rule, and the remedy; all of them are printed at once.
//! `TIDY_ROOT` names another workspace to read, such as a second work tree.
//!
//! The workspace breaks some of the rules in many places. For these, `counts.txt` limits the number
//! of violations of each crate, and the limits only fall: see `counts`.

mod read;

use self::read::{definitions, modules, prose, quoted, reading, source, tokens};

mod language;

use self::language::words;

mod code;
mod structure;
mod unsafety;

mod counts;

use std::path::{Path, PathBuf};

use self::source::{Violation, Workspace};

type Rule = fn(&Workspace) -> Vec<Violation>;

/// The rules without exceptions, in the order in which their violations are printed.
const RULES: [Rule; 12] = [
    structure::edges::check,
    structure::floors::check,
    structure::doors::check,
    structure::order::check,
    code::shim::check,
    unsafety::check,
    code::safety::check,
    structure::rooms::check,
    code::shape::check,
    structure::file_names::check,
    code::attributes::check,
    code::manners::check,
];

/// The rules whose violations are limited by `counts.txt`.
const COUNTED_RULES: [Rule; 8] = [
    structure::loose_files::check,
    structure::type_names::check,
    language::openings::check,
    language::words::check,
    language::width::check,
    language::sentences::check,
    language::test_names::check,
    language::messages::check,
];

fn violations(workspace: &Workspace) -> Vec<Violation> {
    RULES.iter().flat_map(|rule| rule(workspace)).collect()
}

fn counted_violations(workspace: &Workspace) -> Vec<Violation> {
    let rules = COUNTED_RULES.iter();
    rules.flat_map(|rule| rule(workspace)).collect()
}

fn root() -> PathBuf {
    std::env::var_os("TIDY_ROOT").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        PathBuf::from,
    )
}

#[test]
fn workspace_read_whole_keeps_every_rule() {
    let workspace = Workspace::on_disk(&root());
    let mut found = violations(&workspace);
    found.extend(unsafety::unused_permits(&workspace));
    let report: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(
        found.is_empty(),
        "{} violations:\n\n{}\n",
        found.len(),
        report.join("\n\n")
    );
}

#[test]
fn workspace_read_whole_is_not_empty() {
    let workspace = Workspace::on_disk(&root());
    for expected in [
        "volt/src/lib.rs",
        "volt-macros/Cargo.toml",
        "book/src/SUMMARY.md",
    ] {
        assert!(
            workspace.source(expected).is_some(),
            "{expected} was not read"
        );
    }
}

/// Functions that the tests of the rules share.
#[cfg(test)]
mod expect {
    use super::{Workspace, counted_violations, violations};

    /// Returns the places, as `path:line`, of the violations of a counted rule.
    pub(crate) fn counted(files: &[(&str, &str)], rule: &str) -> Vec<String> {
        let found = counted_violations(&Workspace::of(files)).into_iter();
        found
            .filter(|found| found.rule == rule)
            .map(|found| found.place())
            .collect()
    }

    /// Every rule is silent about these files.
    #[track_caller]
    pub(crate) fn clean(files: &[(&str, &str)]) {
        let found = violations(&Workspace::of(files));
        assert!(found.is_empty(), "expected no violation, found {found:#?}");
    }

    /// Asserts that exactly `rule` finds exactly one violation, at `place` (`path:line`).
    #[track_caller]
    pub(crate) fn one(files: &[(&str, &str)], rule: &str, place: &str) {
        let found = violations(&Workspace::of(files));
        assert_eq!(
            found.len(),
            1,
            "expected one violation of {rule}: {found:#?}"
        );
        let found = &found[0];
        assert_eq!(
            (found.rule, found.place().as_str()),
            (rule, place),
            "{found}"
        );
    }
}
