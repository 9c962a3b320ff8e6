//! Rule: from outside a folder one goes through its `mod.rs`; inside, siblings import each other
//! directly.

use crate::modules::{Import, Library};
use crate::source::{Violation, Workspace};

const RULE: &str = "doors";

/// Modules that a folder offers as such, because what is in them needs the name.
const OPEN: [(&str, &[&str], &str); 2] = [
    (
        "volt",
        &["runtime", "context"],
        "`context::driver()` asks the context; a bare `driver()` would promise one",
    ),
    (
        "volt",
        &["signal", "unix"],
        "users name it by that path too, which says where there are such signals",
    ),
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for library in Library::all(workspace) {
        let imports = library.imports();
        violations.extend(imports.iter().filter_map(|i| past_door(&library, i)));
        violations.extend(imports.iter().filter_map(|i| round_the_door(&library, i)));
    }
    violations
}

/// `crate::task::state::State` from outside `task`.
fn past_door(library: &Library<'_>, import: &Import<'_>) -> Option<Violation> {
    let folder = import.to.get(..=import.shared())?;
    let inside = import.to.get(..import.shared() + 2)?;
    let mut open = OPEN.iter();
    if open.any(|(name, module, _)| *name == library.name && inside == *module) {
        return None;
    }
    // An item may bear the name of its module: `single::lazy` is the function, from outside.
    if !library.is_module(inside) || import.to.len() == inside.len() {
        return None;
    }
    let said = format!(
        "`{}` walks past the door of `{}`: re-export what is needed in its mod.rs, and import it \
         from there",
        import.written,
        folder.join("::")
    );
    Some(import.from.source.violation(import.line, RULE, said))
}

/// `super::State` from inside `task`, which leads over `task/mod.rs` back to a sibling.
fn round_the_door(library: &Library<'_>, import: &Import<'_>) -> Option<Violation> {
    let shared = import.shared();
    let inside_folder = (1..import.from.module.len()).contains(&shared);
    let end = import.to.get(..=shared);
    let names_sibling = end.is_some_and(|end| library.is_module(end));
    if import.test || !inside_folder || names_sibling {
        return None;
    }
    let said = format!(
        "`{}` asks the module around this file, which is built after it: import from the sibling \
         that makes it, as `super::sibling::Name`",
        import.written
    );
    Some(import.from.source.violation(import.line, RULE, said))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    fn house<'a>(path: &'a str, text: &'a str) -> Vec<(&'a str, &'a str)> {
        let mut files = vec![
            ("volt/src/lib.rs", "//! .\nmod task;\nmod scheduler;\n"),
            (
                "volt/src/task/mod.rs",
                "//! .\nmod state;\nmod cell;\npub(crate) use self::state::State;\n",
            ),
            ("volt/src/task/state.rs", "//! .\n"),
            ("volt/src/scheduler/mod.rs", "//! .\nmod worker;\n"),
        ];
        files.push((path, text));
        files
    }

    #[test]
    fn import_through_the_door_is_clean() {
        let text = "//! .\nuse crate::task::State;\nfn f() { crate::task::State::new() }\n";
        expect::clean(&house("volt/src/scheduler/worker.rs", text));
    }

    #[test]
    fn import_of_a_sibling_is_clean() {
        expect::clean(&house(
            "volt/src/task/cell.rs",
            "//! .\nuse super::state::State;\n",
        ));
    }

    #[test]
    fn import_past_the_door_is_found() {
        let text = "//! .\nuse crate::task::state::State;\n";
        let files = house("volt/src/scheduler/worker.rs", text);
        expect::one(&files, RULE, "volt/src/scheduler/worker.rs:2");
    }

    #[test]
    fn glob_past_the_door_is_found() {
        let text = "//! .\nuse crate::task::state::*;\n";
        let files = house("volt/src/scheduler/worker.rs", text);
        expect::one(&files, RULE, "volt/src/scheduler/worker.rs:2");
    }

    #[test]
    fn function_named_like_its_module_is_clean() {
        let text = "//! .\nuse crate::task::state;\nfn f() { state() }\n";
        expect::clean(&house("volt/src/scheduler/worker.rs", text));
    }

    #[test]
    fn public_module_is_clean() {
        let files = [
            ("volt/src/lib.rs", "//! .\nmod runtime;\nmod net;\n"),
            (
                "volt/src/runtime/mod.rs",
                "//! .\npub(crate) mod context;\n",
            ),
            ("volt/src/runtime/context.rs", "//! .\n"),
            (
                "volt/src/net.rs",
                "//! .\nuse crate::runtime::context::driver;\n",
            ),
        ];
        expect::clean(&files);
    }

    #[test]
    fn path_past_the_door_by_an_alias_is_found() {
        let text = "//! .\nuse crate::task;\nfn f() {\n    task::state::State::new();\n}\n";
        let files = house("volt/src/scheduler/worker.rs", text);
        expect::one(&files, RULE, "volt/src/scheduler/worker.rs:4");
    }

    #[test]
    fn face_looking_past_the_door_is_found() {
        let mut files = house("volt/src/task/cell.rs", "//! .\n");
        files[0].1 = "//! .\nmod task;\nmod scheduler;\npub use task::state::State;\n";
        expect::one(&files, RULE, "volt/src/lib.rs:4");
    }

    #[test]
    fn import_of_a_sibling_round_the_door_is_found() {
        let files = house("volt/src/task/cell.rs", "//! .\nuse super::State;\n");
        expect::one(&files, RULE, "volt/src/task/cell.rs:2");
    }

    #[test]
    fn import_of_all_around_a_test_is_clean() {
        let text = "//! .\n#[cfg(test)]\nmod tests {\n    use super::super::State;\n}\n";
        expect::clean(&house("volt/src/task/cell.rs", text));
    }
}
