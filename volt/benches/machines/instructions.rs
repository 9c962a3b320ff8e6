//! Instructions counted by valgrind: the same at every run, whatever else the machine does.

use std::path::Path;
use std::process::{Command, Stdio};

/// The option under which the program runs one subject, for valgrind to watch.
pub(crate) const RUN: &str = "--run";

/// Counts are taken of so many futures, and of twice as many: the difference is theirs alone.
const FUTURES: u32 = 100;

/// Whether valgrind is there.
pub(crate) fn can_be_counted() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|version| version.status.success())
}

/// The instructions that one future of a subject takes, from its making to its drop.
pub(crate) fn count(subject: &str, version: &str) -> Option<f64> {
    let few = counted(subject, version, FUTURES)?;
    let many = counted(subject, version, 2 * FUTURES)?;
    Some((many - few) / f64::from(FUTURES))
}

fn counted(subject: &str, version: &str, futures: u32) -> Option<f64> {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machines.callgrind");
    let valgrind = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", output.display()))
        .arg(std::env::current_exe().ok()?)
        .args([RUN, subject, version, &futures.to_string()])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&valgrind.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    collected?.1.trim().parse().ok()
}
