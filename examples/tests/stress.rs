//! The stress test runs, ends in time, and reports its counts.

use std::process::Command;

#[test]
fn some_seconds_of_stress_find_nothing() {
    let output = Command::new(env!("CARGO_BIN_EXE_stress"))
        .args(["--seconds", "3", "--seed", "1"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.starts_with("seed 1\n"), "{text}");
    assert!(text.ends_with(": nothing found\n"), "{text}");
}

#[test]
fn one_round_is_played_again() {
    let output = Command::new(env!("CARGO_BIN_EXE_stress"))
        .args(["--seed", "1", "--round", "3"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\n1 rounds, "), "{text}");
}
