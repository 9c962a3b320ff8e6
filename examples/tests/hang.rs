//! The demonstration names the line at which each task hangs.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the output of the program, one section for each way to hang.
fn sections() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_hang")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split("== ").skip(1).map(str::to_owned).collect()
}

/// The line of that file with that comment, as dumps name it.
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

#[test]
fn each_way_to_hang_is_named_by_its_line() {
    let sections = sections();
    assert_eq!(sections.len(), 4);
    let files = ["forgotten", "deadlock", "cancelled", "lost"];
    for (section, file) in sections.iter().zip(files) {
        let (report, dump) = parts(section);
        let here = place(file, "It hangs here.");
        assert!(dump.contains(&here), "{here} in\n{section}");
        if file == "deadlock" {
            // The lock keeps the waker, and the task the lock.
            assert!(report.starts_with("no orphan"), "{section}");
        } else {
            assert!(report.contains(&here), "{here} in\n{section}");
        }
    }
    let waits = place("cancelled", "And so it hangs here.");
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
