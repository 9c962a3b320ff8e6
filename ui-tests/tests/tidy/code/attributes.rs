//! Rule: nothing is left undone, and no check is switched off without saying why, be it in the
//! code, in what a macro writes, in the text of a program, in an example or on a page.

use crate::quoted::Attribute;
use crate::reading::Spot;
use crate::source::{Source, Violation, Workspace};

const RULE: &str = "attributes";
const UNDONE: &str = "undone";

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in &workspace.sources {
        let reading = &source.reading;
        violations.extend(
            reading
                .attributes
                .iter()
                .filter_map(|a| careless(source, a)),
        );
        violations.extend(reading.macros.iter().filter_map(|m| undone(source, m)));
    }
    violations
}

fn careless(source: &Source, attribute: &Attribute) -> Option<Violation> {
    let said = match attribute.name.as_str() {
        "ignore" => "a test that never runs tests nothing: make it run, or take it out".to_owned(),
        name @ ("allow" | "expect") if !attribute.has_reason => {
            format!("`{name}` without a reason: mend the code, or write `reason = \"..\"`")
        }
        _ => return None,
    };
    Some(source.violation(attribute.line, RULE, said))
}

fn undone(source: &Source, call: &Spot) -> Option<Violation> {
    let unfinished = ["todo", "unimplemented"].contains(&call.name.as_str());
    let said = format!(
        "`{}!` is a promise: write the code, or leave the feature out",
        call.name
    );
    (unfinished && !source.is_ui_case()).then(|| source.violation(call.line, UNDONE, said))
}

#[cfg(test)]
mod tests {
    use super::{RULE, UNDONE};
    use crate::expect;

    // In halves, so that the rule does not find it here.
    const ALLOW: &str = concat!("#[", "allow(dead_code)]");

    #[test]
    fn attribute_with_reason_is_clean() {
        let text = "//! .\n#[allow(dead_code, reason = \"shown in the docs\")]\nfn f() {}\n";
        expect::clean(&[("examples/src/server.rs", text)]);
    }

    #[test]
    fn allow_without_reason_is_found() {
        let text = format!("//! .\n{ALLOW}\nfn f() {{}}\n");
        let files = [("examples/src/server.rs", text.as_str())];
        expect::one(&files, RULE, "examples/src/server.rs:2");
    }

    #[test]
    fn expect_without_reason_is_found() {
        let text = concat!(
            "//! .\nfn f() {\n    #[",
            "expect(unused)]\n    let x = 1;\n}\n"
        );
        let files = [("examples/src/server.rs", text)];
        expect::one(&files, RULE, "examples/src/server.rs:3");
    }

    #[test]
    fn allow_in_generated_code_is_found() {
        let text = format!("//! .\nfn f() {{\n    quote! {{ {ALLOW} fn g() {{}} }};\n}}\n");
        let files = [("volt-macros/src/expand.rs", text.as_str())];
        expect::one(&files, RULE, "volt-macros/src/expand.rs:3");
    }

    #[test]
    fn allow_in_the_text_of_a_program_is_found() {
        let text = format!("//! .\nconst HEAD: &str = \"\n{ALLOW}\n\";\n");
        let files = [("tools/difftest/src/difftest/program.rs", text.as_str())];
        expect::one(&files, RULE, "tools/difftest/src/difftest/program.rs:3");
    }

    #[test]
    fn allow_in_an_example_is_found() {
        let text = format!("//! .\n\n/// {ALLOW}\nfn f() {{}}\n");
        let files = [("examples/src/server.rs", text.as_str())];
        expect::one(&files, RULE, "examples/src/server.rs:3");
    }

    #[test]
    fn allow_on_a_page_is_found() {
        let text = format!("One\n\n```rust\n{ALLOW}\nfn f() {{}}\n```\n");
        expect::one(&[("README.md", &text)], RULE, "README.md:4");
    }

    #[test]
    fn allow_under_a_condition_is_found() {
        let text = "//! .\n#[cfg_attr(loom, allow(dead_code))]\nfn f() {}\n";
        let files = [("examples/src/server.rs", text)];
        expect::one(&files, RULE, "examples/src/server.rs:2");
    }

    #[test]
    fn ignored_test_is_found() {
        let text = "//! .\n#[test]\n#[ignore = \"slow\"]\nfn f() {}\n";
        let files = [("volt/tests/smoke.rs", text)];
        expect::one(&files, RULE, "volt/tests/smoke.rs:3");
    }

    #[test]
    fn todo_is_found() {
        let files = [(
            "examples/src/server.rs",
            "//! .\nfn f() {\n    todo!()\n}\n",
        )];
        expect::one(&files, UNDONE, "examples/src/server.rs:3");
    }

    #[test]
    fn unimplemented_by_its_long_name_is_found() {
        let text = "//! .\nfn f() {\n    std::unimplemented!(\"later\")\n}\n";
        let files = [("examples/src/server.rs", text)];
        expect::one(&files, UNDONE, "examples/src/server.rs:3");
    }
}
