//! Rule: only the files that `permits` lists contain `unsafe`.
//!
//! A permit holds for the file and for the files below it, such as its tests. An unused permit is a
//! violation too, so that the list stays correct.

mod permits;

use self::permits::PERMITS;
use crate::source::{Source, Violation, Workspace};

const RULE: &str = "unsafe";

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let strict = workspace
        .sources
        .iter()
        .filter(|source| !handles_foreign_code(source) && !permitted(source));
    strict.filter_map(outside_permits).collect()
}

/// Returns the permits of files without `unsafe`. The workspace has to be complete.
pub(crate) fn unused_permits(workspace: &Workspace) -> Vec<Violation> {
    let unused = PERMITS.iter().filter(|(path, _)| {
        let mut covered = workspace.sources.iter().filter(|s| covers(path, s));
        !covered.any(|source| !source.reading.unsafe_lines.is_empty())
    });
    unused
        .map(|(path, _)| Violation {
            path: (*path).to_owned(),
            line: 1,
            rule: RULE,
            said:
                "holds no `unsafe`: take its permit out of ui-tests/tests/tidy/unsafety/permits.rs"
                    .into(),
        })
        .collect()
}

/// The macro forbids `unsafe` in itself and must name it to pass an `unsafe fn` through; a case of
/// the ui tests is a user's code.
fn handles_foreign_code(source: &Source) -> bool {
    source.path.starts_with("volt-macros/") || source.is_ui_case()
}

fn permitted(source: &Source) -> bool {
    PERMITS.iter().any(|(path, _)| covers(path, source))
}

fn covers(permit: &str, source: &Source) -> bool {
    let below = permit.strip_suffix(".rs").unwrap_or(permit);
    let rest = source.path.strip_prefix(below);
    source.path == permit || rest.is_some_and(|rest| rest.starts_with('/'))
}

/// One violation a file, at the first place.
fn outside_permits(source: &Source) -> Option<Violation> {
    let lines = &source.reading.unsafe_lines;
    let said = format!(
        "{}× `unsafe` outside the files that may hold it: use the safe face of one of \
         those, or argue for a new permit in ui-tests/tests/tidy/unsafety/permits.rs",
        lines.len()
    );
    Some(source.violation(*lines.first()?, RULE, said))
}

#[cfg(test)]
mod tests;
