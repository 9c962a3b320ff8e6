//! Rule: the crates know each other only downwards. `volt-inspect` and `volt-macros` know no other
//! crate. `volt-combinators` knows only `volt-inspect`. The macro crate forbids `unsafe` in itself.

use crate::source::{Source, Violation, Workspace};

const RULE: &str = "edges";

/// The manifests of the crates at the bottom, and the crates that each may not name.
const UNKNOWN: [(&str, &[&str]); 3] = [
    (
        "volt-combinators/Cargo.toml",
        &["volt-async", "volt", "volt-macros"],
    ),
    (
        "volt-macros/Cargo.toml",
        &["volt-async", "volt", "volt-combinators", "volt-inspect"],
    ),
    (
        "volt-inspect/Cargo.toml",
        &["volt-async", "volt", "volt-combinators", "volt-macros"],
    ),
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, unknown) in UNKNOWN {
        let manifest = workspace.source(path);
        violations.extend(manifest.iter().flat_map(|source| names(source, unknown)));
    }
    let face = workspace.source("volt-macros/src/lib.rs");
    violations.extend(face.and_then(permits_unsafe));
    violations
}

fn names(manifest: &Source, unknown: &[&str]) -> Vec<Violation> {
    let mut section = String::new();
    let mut violations = Vec::new();
    for (at, text) in manifest.numbered_lines() {
        let text = text.split('#').next().unwrap_or_default().trim();
        if let Some(header) = text.strip_prefix('[') {
            section = header.trim_end_matches(']').to_owned();
        }
        if let Some(name) = unknown.iter().find(|name| depends(&section, text, name)) {
            let said = format!(
                "depends on `{name}`, which stands above or beside it: let `{name}` implement a \
                 trait of this crate, and test the two together over there"
            );
            violations.push(manifest.violation(at, RULE, said));
        }
    }
    violations
}

/// `name = ..` or `name.workspace = ..` below `[..dependencies]`, `[..dependencies.name]` itself,
/// or `package = "name"` anywhere.
fn depends(section: &str, text: &str, name: &str) -> bool {
    let key = text.split(['=', '.', ' ']).next().unwrap_or_default();
    let listed = section.ends_with("dependencies") && key.trim_matches('"') == name;
    let headed = text.starts_with('[') && section.ends_with(&format!("dependencies.{name}"));
    let mut quoted = text.split('"');
    let renamed = text.contains("package") && quoted.any(|part| part == name);
    listed || headed || (renamed && section != "package")
}

fn permits_unsafe(face: &Source) -> Option<Violation> {
    let forbids = face.text.contains("#![forbid(unsafe_code)]");
    let said = "the macro needs no `unsafe`: say `#![forbid(unsafe_code)]`".to_owned();
    (!forbids).then(|| face.violation(1, RULE, said))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    const COMBINATORS: &str = "volt-combinators/Cargo.toml";

    #[test]
    fn own_name_and_other_dependencies_are_clean() {
        let text = "[package]\nname = \"volt-combinators\"\n\n[dev-dependencies]\n# not volt = 1\n\
                    futures.workspace = true\n";
        expect::clean(&[(COMBINATORS, text)]);
    }

    #[test]
    fn dependency_on_volt_is_found() {
        let text = "[dependencies]\nvolt.workspace = true\n";
        expect::one(
            &[(COMBINATORS, text)],
            RULE,
            "volt-combinators/Cargo.toml:2",
        );
    }

    #[test]
    fn dev_dependency_on_the_macros_is_found() {
        let text = "[dev-dependencies]\nvolt-macros = { path = \"../volt-macros\" }\n";
        expect::one(
            &[(COMBINATORS, text)],
            RULE,
            "volt-combinators/Cargo.toml:2",
        );
    }

    #[test]
    fn dependency_by_its_own_section_is_found() {
        let text = "[target.'cfg(loom)'.dependencies.volt]\npath = \"../volt\"\n";
        expect::one(
            &[(COMBINATORS, text)],
            RULE,
            "volt-combinators/Cargo.toml:1",
        );
    }

    #[test]
    fn dependency_by_another_name_is_found() {
        let text = "[dependencies]\nrt = { package = \"volt-async\", path = \"../volt\" }\n";
        expect::one(
            &[(COMBINATORS, text)],
            RULE,
            "volt-combinators/Cargo.toml:2",
        );
    }

    #[test]
    fn macro_crate_naming_combinators_is_found() {
        let files = [(
            "volt-macros/Cargo.toml",
            "[dependencies]\nvolt-combinators = \"0.1\"\n",
        )];
        expect::one(&files, RULE, "volt-macros/Cargo.toml:2");
    }

    #[test]
    fn macro_crate_permitting_unsafe_is_found() {
        let files = [("volt-macros/src/lib.rs", "//! .\n")];
        expect::one(&files, RULE, "volt-macros/src/lib.rs:1");
    }

    #[test]
    fn macro_crate_forbidding_unsafe_is_clean() {
        let files = [("volt-macros/src/lib.rs", "//! .\n#![forbid(unsafe_code)]\n")];
        expect::clean(&files);
    }
}
