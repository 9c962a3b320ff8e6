//! The program from the command line, as far as nothing is compiled.

use std::process::{Command, Output};

fn difftest(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_difftest"));
    command.args(arguments).output().expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn help_describes_every_option_and_the_output() {
    let output = difftest(&["--help"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let options = [
        "--layout",
        "--edition",
        "--seed",
        "--count",
        "--batch",
        "--jobs",
        "--refusals",
        "--keep",
        "--volt",
        "--show",
        "--expand",
    ];
    for part in options
        .iter()
        .chain(&["differs", "refused", "faulty", "Exit codes"])
    {
        assert!(said.contains(part), "{part} in\n{said}");
    }
    assert_eq!(difftest(&["-h"]).stdout, output.stdout);
}

#[test]
fn unknown_option_shows_the_usage() {
    let output = difftest(&["--sede", "3"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for part in ["--sede", "Usage: difftest [OPTIONS]", "difftest --help"] {
        assert!(said.contains(part), "{part} in\n{said}");
    }
    assert!(!said.contains("--seed"), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn family_is_shown_again_by_its_seed_and_number() {
    let shown = |arguments: &[&str]| text(&difftest(arguments).stdout);
    let first = shown(&["--seed", "7", "--show", "3"]);
    assert!(first.matches("async fn").count() >= 2, "{first}");
    assert_eq!(first, shown(&["--show", "3", "--seed", "7"]));
    assert_ne!(first, shown(&["--seed", "7", "--show", "4"]));
}

#[test]
fn missing_file_is_no_fault_of_the_command_line() {
    let output = difftest(&["--expand", "no/such/file.rs"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("no/such/file.rs"), "{said}");
}
