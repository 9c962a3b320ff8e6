//! Rule: a file has at most 400 lines, begins with its caption, and is named for what it defines.
//!
//! Tests count, because they are read too, and a long file of tests can be split by theme like any
//! other. Programs that trybuild compiles are exempt: a user's program has no such caption.

use crate::source::{Source, Violation, Workspace};

const LENGTH: &str = "length";
const NAME: &str = "name";
const CAPTION: &str = "caption";

const MOST_LINES: usize = 400;

/// Names without a meaning, which attract unrelated code.
const EMPTY_NAMES: [&str; 5] = ["utils", "common", "helpers", "types", "misc"];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let ours = workspace
        .sources
        .iter()
        .filter(|source| source.is_rust() && !source.is_ui_case());
    ours.flat_map(|source| [too_long(source), empty_name(source), no_caption(source)])
        .flatten()
        .collect()
}

fn too_long(source: &Source) -> Option<Violation> {
    let lines = source.text.lines().count();
    let said =
        format!("{lines} lines, {MOST_LINES} at most: give one of its ideas a file of its own");
    (lines > MOST_LINES).then(|| source.violation(lines, LENGTH, said))
}

fn empty_name(source: &Source) -> Option<Violation> {
    let mut names = source.path.split(['/', '.']);
    let name = names.find(|name| EMPTY_NAMES.contains(name))?;
    let said = format!("`{name}` says nothing: name the file for the one thing it defines");
    Some(source.violation(1, NAME, said))
}

fn no_caption(source: &Source) -> Option<Violation> {
    let captioned = source.text.starts_with("//!");
    let said = "begins without a caption: say what it is, `//! A noun phrase.`".to_owned();
    (!captioned).then(|| source.violation(1, CAPTION, said))
}

#[cfg(test)]
mod tests {
    use super::{CAPTION, LENGTH, NAME};
    use crate::expect;

    #[test]
    fn file_of_400_lines_is_clean() {
        let text = "//! .\n".repeat(400);
        expect::clean(&[("examples/src/bin/serve.rs", &text)]);
    }

    #[test]
    fn file_of_401_lines_is_found() {
        let text = "//! .\n".repeat(401);
        let files = [("examples/src/bin/serve.rs", text.as_str())];
        expect::one(&files, LENGTH, "examples/src/bin/serve.rs:401");
    }

    #[test]
    fn file_named_helpers_is_found() {
        let files = [("examples/src/helpers.rs", "//! .\n")];
        expect::one(&files, NAME, "examples/src/helpers.rs:1");
    }

    #[test]
    fn folder_named_common_is_found() {
        let files = [("examples/tests/common/server.rs", "//! .\n")];
        expect::one(&files, NAME, "examples/tests/common/server.rs:1");
    }

    #[test]
    fn file_without_caption_is_found() {
        let files = [("examples/src/server.rs", "use std::io;\n")];
        expect::one(&files, CAPTION, "examples/src/server.rs:1");
    }

    #[test]
    fn long_file_of_cases_is_found() {
        let text = "//! .\n".repeat(401);
        let files = [("ui-tests/tests/behave/loops.rs", text.as_str())];
        expect::one(&files, LENGTH, "ui-tests/tests/behave/loops.rs:401");
    }

    #[test]
    fn file_of_cases_without_caption_is_found() {
        let files = [("ui-tests/tests/behave/loops.rs", "use super::log::*;\n")];
        expect::one(&files, CAPTION, "ui-tests/tests/behave/loops.rs:1");
    }

    #[test]
    fn program_of_a_user_is_clean() {
        let text = "fn main() {}\n".repeat(401);
        for path in ["ui-tests/tests/pass/a.rs", "ui-tests/tests/refuse/a.rs"] {
            expect::clean(&[(path, &text)]);
        }
    }
}
