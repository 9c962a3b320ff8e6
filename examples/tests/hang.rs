//! The runtime reports each fault of the program `hang`, with its line.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the output of `hang` with these arguments.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hang"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the line of that file with that comment, as dumps name it.
fn place(file: &str, comment: &str) -> String {
    let path = format!("src/bin/hang/{file}.rs");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).unwrap();
    let line = text.lines().position(|line| line.ends_with(comment));
    format!("{path}:{}:", line.unwrap() + 1)
}

/// Returns the orphan report, or the text in its place, and the dump.
fn parts(section: &str) -> (&str, &str) {
    let (_, rest) = section.split_once('\n').unwrap();
    rest.split_once('\n').unwrap()
}

/// Runs a fault beside tasks without one.
fn run_in_service(fault: &str) -> String {
    run(&[fault, "--after", "1700"])
}

/// Asserts that a line begins with `kind` and contains `text`.
fn assert_finding(output: &str, kind: &str, text: &str) {
    let named = |line: &str| line.starts_with(kind) && line.contains(text);
    assert!(
        output.lines().any(named),
        "no `{kind} .. {text}` in\n{output}"
    );
}

#[test]
fn quick_faults_are_named_by_their_line() {
    let output = run(&[]);
    let sections: Vec<&str> = output.split("== ").skip(1).collect();
    assert_eq!(sections.len(), 4);
    let files = [
        "wakers/forgotten",
        "locks/own_lock",
        "waits/cancelled",
        "wakers/lost",
    ];
    for (section, file) in sections.iter().zip(files) {
        let (report, dump) = parts(section);
        let here = place(file, "It hangs here.");
        assert!(dump.contains(&here), "{here} in\n{section}");
        if file == "locks/own_lock" {
            // The lock stores the waker, and the task owns the lock.
            assert!(report.starts_with("no orphan"), "{section}");
        } else {
            assert!(report.contains(&here), "{here} in\n{section}");
        }
    }
    let waits = place("waits/cancelled", "The visitor hangs here.");
    assert!(sections[2].contains(&waits), "{}", sections[2]);
    assert!(sections[2].contains("waits for task"), "{}", sections[2]);
    assert!(
        sections[2].contains(", cancelled, shielded"),
        "{}",
        sections[2]
    );
    assert!(
        sections[1].contains("in Acquire at await returned"),
        "{}",
        sections[1]
    );
}

#[test]
fn unknown_fault_prints_the_usage() {
    let output = Command::new(env!("CARGO_BIN_EXE_hang"))
        .arg("rain")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("hang: there is no fault `rain`\n"),
        "{error}"
    );
}

#[test]
fn cycle_of_tasks_is_a_finding() {
    assert_finding(
        &run_in_service("cycle"),
        "cycle: ",
        " waits for the end of task ",
    );
}

#[test]
fn blocked_workers_are_findings() {
    let output = run_in_service("blocking-lock");
    assert_finding(&output, "blocked worker: ", "\"serve\"");
    assert_finding(&output, "starved: ", "2 tasks");
}

#[test]
fn endless_loop_is_a_finding() {
    assert_finding(
        &run_in_service("endless-loop"),
        "blocked worker: ",
        "\"quote 9\"",
    );
}

#[test]
fn leaked_tasks_are_one_finding() {
    let output = run_in_service("leak");
    assert_finding(
        &output,
        "many tasks: ",
        &place("wakers/leak", "It hangs here."),
    );
}

#[test]
fn far_timer_is_a_finding() {
    let output = run_in_service("far-timer");
    assert_finding(
        &output,
        "far timer: ",
        &place("waits/far_timer", "It hangs here."),
    );
}

#[test]
fn held_futures_are_findings() {
    for (fault, finding) in [
        ("held-future", "dormant future: "),
        ("held-group", "woken and not polled: "),
    ] {
        let output = run_in_service(fault);
        let file = fault.replace('-', "_");
        let here = place(&format!("locks/{file}"), "It hangs here.");
        assert_finding(&output, finding, &here);
    }
}
