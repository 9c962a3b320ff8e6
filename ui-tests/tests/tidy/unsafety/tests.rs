//! Sources with and without `unsafe`, and the files that a permit covers.

use super::{RULE, covers};
use crate::expect;
use crate::source::Workspace;

#[test]
fn unsafe_outside_the_list_is_found() {
    let text = "//! .\nfn f() {\n    unsafe { g() } // SAFETY: .\n}\n";
    let files = [("examples/src/bin/serve.rs", text)];
    expect::one(&files, RULE, "examples/src/bin/serve.rs:3");
}

#[test]
fn unsafe_inside_a_macro_call_is_found() {
    let text = "//! .\nthread_local! {\n    static X: u8 = unsafe { g() }; // SAFETY: .\n}\n";
    let files = [("examples/src/bin/serve.rs", text)];
    expect::one(&files, RULE, "examples/src/bin/serve.rs:3");
}

#[test]
fn unsafe_in_prose_is_clean() {
    let text = "//! Not unsafe.\nconst TEXT: &str = \"unsafe { }\";\n#![deny(unsafe_code)]\n";
    expect::clean(&[("examples/src/bin/serve.rs", text)]);
}

#[test]
fn unsafe_in_the_text_of_a_program_is_clean() {
    let text =
        "//! .\nfn f() -> String {\n    format!(\"unsafe fn f() {{ unsafe {{ g() }} }}\")\n}\n";
    expect::clean(&[("tools/difftest/src/difftest/generate/call.rs", text)]);
}

#[test]
fn unsafe_in_a_file_of_cases_is_found() {
    let files = [(
        "ui-tests/tests/behave/methods.rs",
        "//! .\nunsafe fn f() {}\n",
    )];
    expect::one(&files, RULE, "ui-tests/tests/behave/methods.rs:2");
}

#[test]
fn permit_covers_its_file_and_files_below() {
    let is_covered = |path| {
        let workspace = Workspace::of(&[(path, "")]);
        covers("volt/src/task/memory/cell.rs", &workspace.sources[0])
    };
    assert!(is_covered("volt/src/task/memory/cell.rs"));
    assert!(is_covered("volt/src/task/memory/cell/tests.rs"));
    assert!(!is_covered("volt/src/task/memory/cellar.rs"));
    assert!(!is_covered("volt/src/task/mod.rs"));
}
