//! The floors of the house and its manners, held by reading the files as text.
//!
//! ```text
//! tokens, quoted ──▶ reading ──▶ source ──▶ modules ──▶ floors, doors, order, shim, rooms, names
//!                                   └─────▶ unsafety, safety, attributes, shape, manners, edges
//! ```
//!
//! Every rule is a pure function from the files of a workspace to its violations. Each is shown,
//! beside its code, to name exactly the fault of a text that breaks it, while all the others keep
//! silent, and to keep silent itself about a text that does not.
//!
//! A violation says where, which rule, and what to do instead; all of them are printed at once.
//! `TIDY_ROOT` names another workspace to read, such as a second work tree.

mod tokens;

mod quoted;

mod reading;

mod source;

mod modules;

mod attributes;
mod doors;
mod edges;
mod floors;
mod manners;
mod names;
mod order;
mod rooms;
mod safety;
mod shape;
mod shim;
mod unsafety;

use std::path::{Path, PathBuf};

use self::source::{Violation, Workspace};

/// Every rule, in the order in which its violations are printed.
const RULES: [fn(&Workspace) -> Vec<Violation>; 12] = [
    edges::check,
    floors::check,
    doors::check,
    order::check,
    shim::check,
    unsafety::check,
    safety::check,
    rooms::check,
    shape::check,
    names::check,
    attributes::check,
    manners::check,
];

fn violations(workspace: &Workspace) -> Vec<Violation> {
    RULES.iter().flat_map(|rule| rule(workspace)).collect()
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

/// What the rules' own tests share.
#[cfg(test)]
mod expect {
    use super::{Workspace, violations};

    /// Every rule is silent about these files.
    #[track_caller]
    pub(crate) fn clean(files: &[(&str, &str)]) {
        let found = violations(&Workspace::of(files));
        assert!(found.is_empty(), "expected no violation, found {found:#?}");
    }

    /// Of all rules exactly `rule` speaks, exactly once, at `place` (`path:line`).
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
