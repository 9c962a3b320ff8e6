//! Rule: a crate defines each type name once, so that a name in a search or in a message has one
//! meaning.
//!
//! Associated types repeat by their nature and are not counted, nor are the types of tests. Types
//! that a `cfg` selects replace each other, and may share a name.

use std::collections::HashMap;

use crate::definitions::{Definition, Definitions};
use crate::source::{Source, Violation, Workspace};

const RULE: &str = "type names";

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let conditions = Conditions::of(workspace);
    let mut firsts: HashMap<(&str, String), (String, bool)> = HashMap::new();
    let mut violations = Vec::new();
    for source in workspace.sources.iter().filter(|source| is_counted(source)) {
        let (selected, is_test) = conditions.around(&source.path);
        let types = Definitions::of(&source.text).types;
        for Definition {
            name,
            line,
            is_conditional,
        } in types.into_iter().filter(|_| !is_test)
        {
            let is_conditional = is_conditional || selected;
            let place = format!("{}:{line}", source.path);
            let key = (source.package(), name);
            let Some((first, is_other)) = firsts.get(&key) else {
                firsts.insert(key, (place, is_conditional));
                continue;
            };
            if !is_conditional || !is_other {
                let said = format!(
                    "`{}` is a type in {first} too: give each its own name",
                    key.1
                );
                violations.push(source.violation(line, RULE, said));
            }
        }
    }
    violations
}

/// The sources of a library or a program, without those of its tests and benchmarks.
fn is_counted(source: &Source) -> bool {
    let inside = source.path.strip_prefix(source.package());
    let inside = inside.unwrap_or_default();
    source.is_rust() && inside.starts_with("/src/") && !inside.starts_with("/src/bin/")
}

/// The paths of modules that a `cfg` selects, as prefixes of the paths of their files.
struct Conditions {
    selected: Vec<String>,
    tests: Vec<String>,
}

impl Conditions {
    fn of(workspace: &Workspace) -> Self {
        let mut conditions = Self {
            selected: Vec::new(),
            tests: Vec::new(),
        };
        for source in &workspace.sources {
            for line in &source.reading.mods {
                let path = child(&source.path, &line.name, line.path.as_deref());
                if line.test || source.reading.only_test {
                    conditions.tests.push(path);
                } else if line.conditional {
                    conditions.selected.push(path);
                }
            }
        }
        conditions
    }

    /// Returns `true` twice for a file that a `cfg` selects, and that only tests see.
    fn around(&self, path: &str) -> (bool, bool) {
        let is_below = |prefix: &String| {
            let rest = path.strip_prefix(prefix.as_str());
            rest.is_some_and(|rest| rest.starts_with(['.', '/']))
        };
        let selected = self.selected.iter().any(is_below);
        (selected, self.tests.iter().any(is_below))
    }
}

/// `volt/src/task/mod.rs` declares `local` in `volt/src/task/local`.
fn child(parent: &str, name: &str, path: Option<&str>) -> String {
    let (folder, file) = parent.rsplit_once('/').unwrap_or(("", parent));
    if let Some(path) = path {
        let path = path.strip_suffix(".rs").unwrap_or(path);
        return format!("{folder}/{path}");
    }
    match file {
        "lib.rs" | "main.rs" | "mod.rs" => format!("{folder}/{name}"),
        _ => format!("{folder}/{}/{name}", file.trim_end_matches(".rs")),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    const TASK: (&str, &str) = ("volt/src/task.rs", "//! .\nstruct State;\n");

    #[test]
    fn name_defined_twice_is_found() {
        let other = ("volt/src/time.rs", "//! .\n\nenum State {}\n");
        let found = expect::counted(&[TASK, other], RULE);
        assert_eq!(found, ["volt/src/time.rs:3"]);
    }

    #[test]
    fn name_in_another_crate_is_clean() {
        let other = ("tools/cargo-volt/src/time.rs", "//! .\nstruct State;\n");
        assert!(expect::counted(&[TASK, other], RULE).is_empty());
    }

    #[test]
    fn associated_type_is_clean() {
        let text = "//! .\nimpl Iterator for A {\n    type State = u8;\n}\n";
        assert!(expect::counted(&[TASK, ("volt/src/time.rs", text)], RULE).is_empty());
    }

    #[test]
    fn type_of_a_test_is_clean() {
        let text =
            "//! .\n#[cfg(test)]\nmod tests {\n    struct State;\n}\n#[cfg(test)]\nmod all;\n";
        let all = ("volt/src/time/all.rs", "//! .\nstruct State;\n");
        assert!(expect::counted(&[TASK, ("volt/src/time.rs", text), all], RULE).is_empty());
    }

    #[test]
    fn types_of_two_conditions_are_clean() {
        let lib = "//! .\n#[cfg(unix)]\nmod unix;\n#[cfg(not(unix))]\nmod other;\n";
        let files = [
            ("volt/src/lib.rs", lib),
            ("volt/src/unix.rs", "//! .\nstruct Pipe;\n"),
            ("volt/src/other.rs", "//! .\nstruct Pipe;\n"),
        ];
        assert!(expect::counted(&files, RULE).is_empty());
    }
}
