//! Instructions counted by valgrind. The load of the machine does not change them.

use std::path::Path;
use std::process::{Command, Stdio};

/// The option with which the program runs one subject, under valgrind.
pub(crate) const RUN: &str = "--run";

/// Returns `true` if valgrind is installed.
pub(crate) fn can_be_counted() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|version| version.status.success())
}

/// Returns the instructions of one repetition of a subject.
///
/// The program runs twice, with few and with many repetitions. The difference is the cost of the
/// repetitions alone.
pub(crate) fn count(subject: &str, version: &str, [few, many]: [u32; 2]) -> Option<f64> {
    let instructions_of_few = counted(subject, version, few)?;
    let instructions_of_many = counted(subject, version, many)?;
    Some((instructions_of_many - instructions_of_few) / f64::from(many - few))
}

fn counted(subject: &str, version: &str, repetitions: u32) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let report = program.file_name()?;
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join(report);
    let valgrind = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", report.display()))
        .arg(program)
        .args([RUN, subject, version, &repetitions.to_string()])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let output = String::from_utf8_lossy(&valgrind.stderr);
    let collected = output
        .lines()
        .find_map(|line| line.split_once("Collected :"));
    collected?.1.trim().parse().ok()
}
