//! Rule: `mod` lines are in building order, and a file imports only siblings above it. The order is
//! the reading order of a folder, and the proof that the folder has no cycle.
//!
//! Tests are outside the order: the code that they test is built by then.

use crate::modules::{Import, Library};
use crate::source::{Violation, Workspace};

const RULE: &str = "order";

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for library in Library::all(workspace) {
        let imports = library.imports();
        let found = imports.iter().filter(|import| !import.test);
        violations.extend(found.filter_map(|import| built_later(&library, import)));
    }
    violations
}

fn built_later(library: &Library<'_>, import: &Import<'_>) -> Option<Violation> {
    let shared = import.shared();
    let folder = &import.to[..shared];
    let (own, other) = (import.from.module.get(shared)?, import.to.get(shared)?);
    let between_rooms = library.name == "volt" && shared == 0;
    if between_rooms || library.rank(folder, other)? <= library.rank(folder, own)? {
        return None;
    }
    let door = match folder {
        [] => "lib.rs".to_owned(),
        _ => format!("{}/mod.rs", folder.join("/")),
    };
    let said = format!(
        "`{}`: `{other}` is built after `{own}`. Move its `mod` line up in {door} if it needs \
         nothing from `{own}`; else move what both need into a file above both",
        import.written
    );
    Some(import.from.source.violation(import.line, RULE, said))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    fn folder<'a>(state: &'a str, cell: &'a str) -> [(&'a str, &'a str); 4] {
        [
            ("volt/src/lib.rs", "//! .\nmod task;\n"),
            ("volt/src/task/mod.rs", "//! .\nmod state;\nmod cell;\n"),
            ("volt/src/task/state.rs", state),
            ("volt/src/task/cell.rs", cell),
        ]
    }

    #[test]
    fn import_of_a_sibling_above_is_clean() {
        expect::clean(&folder("//! .\n", "//! .\nuse super::state::State;\n"));
    }

    #[test]
    fn import_of_a_sibling_below_is_found() {
        let files = folder("//! .\nuse super::cell::Cell;\n", "//! .\n");
        expect::one(&files, RULE, "volt/src/task/state.rs:2");
    }

    #[test]
    fn import_of_lower_sibling_by_full_path_is_found() {
        let files = folder(
            "//! .\nfn f(cell: &crate::task::cell::Cell) {}\n",
            "//! .\n",
        );
        expect::one(&files, RULE, "volt/src/task/state.rs:2");
    }

    #[test]
    fn import_of_a_sibling_below_in_a_test_is_clean() {
        let text = "//! .\n#[cfg(test)]\nmod tests {\n    use super::super::cell::Cell;\n}\n";
        expect::clean(&folder(text, "//! .\n"));
    }

    #[test]
    fn module_below_in_another_library_is_found() {
        let files = [
            (
                "volt-combinators/src/lib.rs",
                "//! .\nmod slots;\nmod join;\n",
            ),
            (
                "volt-combinators/src/slots.rs",
                "//! .\nuse crate::join::Join;\n",
            ),
            ("volt-combinators/src/join.rs", "//! .\n"),
        ];
        expect::one(&files, RULE, "volt-combinators/src/slots.rs:2");
    }
}
