//! The check of commit subjects in `.ci/subjects`.
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns `true` if the script accepts the subject.
fn accepts(subject: &str) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/subjects");
    let mut child = Command::new(script)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the script starts");
    let mut input = child.stdin.take().expect("the input is a pipe");
    writeln!(input, "{subject}").expect("the script reads");
    drop(input);
    child.wait().expect("the script ends").success()
}

#[test]
fn subject_of_an_area_is_accepted() {
    assert!(accepts("macros: name the unknown option"));
    assert!(accepts(&format!("net: {}", "a".repeat(67))));
}

#[test]
fn subject_of_73_characters_is_rejected() {
    assert!(!accepts(&format!("net: {}", "a".repeat(68))));
}

#[test]
fn subject_without_an_area_is_rejected() {
    assert!(!accepts("Name the unknown option"));
    assert!(!accepts("compiler: name the unknown option"));
}

#[test]
fn subject_with_a_period_is_rejected() {
    assert!(!accepts("macros: name the unknown option."));
}

#[test]
fn subject_with_a_capital_is_rejected() {
    assert!(!accepts("macros: Name the unknown option"));
}
