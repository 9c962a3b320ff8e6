//! Instructions counted by valgrind. The load of the machine does not change them.

use std::path::Path;
use std::process::{Command, Stdio};

/// The option with which the program runs one subject, under valgrind.
pub(crate) const RUN: &str = "--run";

/// The number of futures of one run. A second run has twice as many, and the difference is the cost
/// of the futures alone.
const FUTURES: u32 = 100;

/// Returns `true` if valgrind is installed.
pub(crate) fn can_be_counted() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|version| version.status.success())
}

/// Returns the instructions of one future of a subject, from its creation to its drop.
pub(crate) fn count(subject: &str, version: &str) -> Option<f64> {
    let few = counted(subject, version, FUTURES)?;
    let many = counted(subject, version, 2 * FUTURES)?;
    Some((many - few) / f64::from(FUTURES))
}

fn counted(subject: &str, version: &str, futures: u32) -> Option<f64> {
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machines.callgrind");
    let valgrind = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", report.display()))
        .arg(std::env::current_exe().ok()?)
        .args([RUN, subject, version, &futures.to_string()])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let output = String::from_utf8_lossy(&valgrind.stderr);
    let collected = output
        .lines()
        .find_map(|line| line.split_once("Collected :"));
    collected?.1.trim().parse().ok()
}
