//! Rule: a library has each file name once, so that the name is clear in a search, in a backtrace
//! and on the tab of an editor. Tests may have the name of the file that they test.

use std::collections::HashMap;

use crate::modules::{File, Library};
use crate::source::{Violation, Workspace};

const RULE: &str = "file names";

/// File names that each folder may have.
const OF_EVERY_FOLDER: [&str; 4] = ["lib.rs", "main.rs", "mod.rs", "tests.rs"];

/// Names that are used more than once, and the reason: the stages of the macro, and the two kinds
/// of machine, have files for the same construct.
const OF_SEVERAL_STAGES: [(&str, &str); 8] = [
    ("volt", "at.rs"),
    ("volt-macros", "beside.rs"),
    ("volt-macros", "conditional.rs"),
    ("volt-macros", "construct.rs"),
    ("volt-macros", "in_place.rs"),
    ("volt-macros", "lints.rs"),
    ("volt-macros", "machine.rs"),
    ("volt-macros", "places.rs"),
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    Library::all(workspace).iter().flat_map(repeated).collect()
}

/// One violation for each file but the first of a name.
fn repeated(library: &Library<'_>) -> Vec<Violation> {
    let mut firsts = HashMap::new();
    let mut violations = Vec::new();
    for file in library.files.iter().filter(|file| !file.test) {
        let name = basename(file);
        if OF_EVERY_FOLDER.contains(&name) || OF_SEVERAL_STAGES.contains(&(library.name, name)) {
            continue;
        }
        let path = file.source.path.as_str();
        let first = *firsts.entry(name).or_insert(path);
        if first != path {
            let said = format!("{first} has this name too: name each for what it alone defines");
            violations.push(file.source.violation(1, RULE, said));
        }
    }
    violations
}

fn basename<'a>(file: &File<'a>) -> &'a str {
    let path = file.source.path.as_str();
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    const FACE: (&str, &str) = ("volt/src/lib.rs", "//! .\nmod task;\nmod time;\n");

    #[test]
    fn repeated_name_is_found() {
        let files = [
            FACE,
            ("volt/src/task/mod.rs", "//! .\nmod local;\n"),
            ("volt/src/task/local.rs", "//! .\n"),
            ("volt/src/time/mod.rs", "//! .\nmod local;\n"),
            ("volt/src/time/local.rs", "//! .\n"),
        ];
        expect::one(&files, RULE, "volt/src/time/local.rs:1");
    }

    #[test]
    fn test_file_with_name_of_tested_file_is_clean() {
        let files = [
            FACE,
            (
                "volt/src/task/mod.rs",
                "//! .\nmod local;\n#[cfg(test)]\nmod tests;\n",
            ),
            ("volt/src/task/local.rs", "//! .\n"),
            ("volt/src/task/tests/mod.rs", "//! .\nmod local;\n"),
            ("volt/src/task/tests/local.rs", "//! .\n"),
        ];
        expect::clean(&files);
    }
}
