//! Rule: each `unsafe` block and implementation has a comment with the reason why it is sound.
//!
//! Clippy requires the same, but not in the bodies of macros that other crates expand.

use crate::source::{Source, Violation, Workspace};

const RULE: &str = "safety";

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let ours = workspace.sources.iter().filter(|s| !s.is_ui_case());
    ours.flat_map(unexplained).collect()
}

fn unexplained(source: &Source) -> Vec<Violation> {
    let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
    let promises = source.reading.promises.iter();
    let bare = promises.filter(|&&line| !is_explained(&lines[..line]));
    bare.map(|&line| {
        let said = "`unsafe` without a reason: say above it, `// SAFETY: ..`, why what it asks for \
                    holds";
        source.violation(line, RULE, said.to_owned())
    })
    .collect()
}

/// Returns `true` if a comment explains the last of these lines: in it, or above its statement.
fn is_explained(lines: &[&str]) -> bool {
    let Some((last, above)) = lines.split_last() else {
        return false;
    };
    let beside = |line: &str| line.starts_with("//") || line.starts_with('#');
    let ends = |line: &str| line.is_empty() || line.ends_with(';') || line.ends_with('}');
    let near = above.iter().rev();
    let mut near = near.take_while(|line| beside(line) || !ends(line));
    last.contains("SAFETY:") || near.any(|line| line.contains("SAFETY:"))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    const PERMITTED: &str = "volt/src/task/memory/cell.rs";

    fn clean(text: &str) {
        expect::clean(&[(PERMITTED, text)]);
    }

    fn found(text: &str, line: usize) {
        expect::one(&[(PERMITTED, text)], RULE, &format!("{PERMITTED}:{line}"));
    }

    #[test]
    fn block_with_its_reason_is_clean() {
        clean("//! .\nfn f() {\n    // SAFETY: I1.\n    unsafe { g() }\n}\n");
        clean(
            "//! .\nfn f() {\n    // SAFETY: I1:\n    // it is.\n    let x =\n        unsafe { g() };\n}\n",
        );
    }

    #[test]
    fn unsafe_function_is_clean() {
        clean("//! .\nunsafe fn f(g: unsafe fn()) {}\n");
    }

    #[test]
    fn block_without_a_reason_is_found() {
        found("//! .\nfn f() {\n    unsafe { g() }\n}\n", 3);
    }

    #[test]
    fn implementation_without_a_reason_is_found() {
        found("//! .\nunsafe impl Send for S {}\n", 2);
    }

    #[test]
    fn block_in_a_macro_without_a_reason_is_found() {
        found(
            "//! .\nmacro_rules! f {\n    () => {\n        unsafe { g() }\n    };\n}\n",
            4,
        );
    }

    #[test]
    fn reason_of_the_statement_before_is_not_enough() {
        let text =
            "//! .\nfn f() {\n    // SAFETY: I1.\n    unsafe { g() };\n    unsafe { h() };\n}\n";
        found(text, 5);
    }
}
