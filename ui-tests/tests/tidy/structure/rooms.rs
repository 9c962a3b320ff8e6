//! Rule: the `mod.rs` of a folder, and the `lib.rs` of a library, hold its documentation, its
//! `mod` lines and its re-exports, and make nothing themselves. Folders of tests are free.

use crate::modules::{File, Library};
use crate::source::{Violation, Workspace};

const RULE: &str = "rooms";

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for library in Library::all(workspace) {
        // A procedural macro has to be in the root of its crate.
        let exempt = |file: &&File<'_>| library.name == "volt-macros" && file.module.is_empty();
        let doors = library.files.iter().filter(|file| is_door(file));
        violations.extend(doors.filter(|file| !exempt(file)).filter_map(makes_things));
    }
    violations
}

fn is_door(file: &File<'_>) -> bool {
    !file.test && (file.module.is_empty() || file.source.path.ends_with("/mod.rs"))
}

/// One violation a file, at the first item.
fn makes_things(file: &File<'_>) -> Option<Violation> {
    let mut items = file.source.reading.items.iter().filter(|item| !item.test);
    let first = items.next()?;
    let said = format!(
        "a `{}` (and {} more items) in a file that only shows the way: give it a file of its \
         own, and re-export it here",
        first.name,
        items.count()
    );
    Some(file.source.violation(first.line, RULE, said))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    const FACE: (&str, &str) = ("volt/src/lib.rs", "//! .\nmod task;\n");

    #[test]
    fn docs_mods_and_exports_are_clean() {
        let text = "//! .\nmod cell;\npub use self::cell::Cell;\n#[cfg(test)]\nfn shown() {}\n";
        expect::clean(&[FACE, ("volt/src/task/mod.rs", text)]);
    }

    #[test]
    fn struct_in_a_door_is_found() {
        let text = "//! .\nmod cell;\n\n/// .\n#[derive(Debug)]\npub struct Task;\n";
        let files = [FACE, ("volt/src/task/mod.rs", text)];
        expect::one(&files, RULE, "volt/src/task/mod.rs:6");
    }

    #[test]
    fn function_in_the_door_of_tests_is_clean() {
        let task = ("volt/src/task/mod.rs", "//! .\n#[cfg(test)]\nmod tests;\n");
        let tests = ("volt/src/task/tests/mod.rs", "//! .\nfn shared() {}\n");
        expect::clean(&[FACE, task, tests]);
    }

    #[test]
    fn function_in_the_face_is_found() {
        let text = "//! .\nmod task;\npub fn spawn() {}\n";
        expect::one(&[("volt/src/lib.rs", text)], RULE, "volt/src/lib.rs:3");
    }

    #[test]
    fn macro_of_the_macro_crate_is_clean() {
        let text =
            "//! .\n#![forbid(unsafe_code)]\n#[proc_macro_attribute]\npub fn state_machine() {}\n";
        expect::clean(&[("volt-macros/src/lib.rs", text)]);
    }
}
