//! Bytes of machine code of a program, by the tool `size` of binutils.

use std::io;
use std::path::Path;
use std::process::Command;

/// Returns `true` if the tool `size` can be started.
pub(crate) fn can_measure() -> bool {
    Command::new("size").arg("--version").output().is_ok()
}

/// Returns the bytes of all sections of code in a program.
pub(crate) fn bytes(program: &Path) -> io::Result<u64> {
    let output = Command::new("size").arg("-A").arg(program).output()?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(io::Error::other(message));
    }
    match code(&String::from_utf8_lossy(&output.stdout)) {
        0 => Err(io::Error::other("the program has no section of code")),
        bytes => Ok(bytes),
    }
}

/// Returns the sum of the sections whose names begin with `.text`.
fn code(sections: &str) -> u64 {
    let lines = sections.lines().filter(|line| line.starts_with(".text"));
    let sizes = lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    sizes.sum()
}
