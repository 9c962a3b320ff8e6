//! Bytes of machine code of a program, by the tool `size` of binutils.

use std::io;
use std::path::Path;
use std::process::Command;

/// Returns `true` if the tool `size` can be started.
pub(crate) fn can_measure() -> bool {
    Command::new("size").arg("--version").output().is_ok()
}

/// The bytes of the sections of a program.
#[derive(Clone, Copy)]
pub(crate) struct Sections {
    /// Machine code.
    pub(crate) text: u64,
    /// Constants.
    pub(crate) constants: u64,
    /// Static memory.
    pub(crate) memory: u64,
}

impl Sections {
    /// Returns the bytes that a program has more than an empty one.
    pub(crate) fn without(self, empty: Self) -> Self {
        Self {
            text: self.text.saturating_sub(empty.text),
            constants: self.constants.saturating_sub(empty.constants),
            memory: self.memory.saturating_sub(empty.memory),
        }
    }
}

/// Returns the bytes of the sections of a program.
pub(crate) fn sections(program: &Path) -> io::Result<Sections> {
    let output = Command::new("size").arg("-A").arg(program).output()?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(io::Error::other(message));
    }
    let listed = String::from_utf8_lossy(&output.stdout);
    let data = sum(&listed, ".data");
    let sections = Sections {
        text: sum(&listed, ".text"),
        constants: sum(&listed, ".rodata") + data,
        memory: sum(&listed, ".bss") + data,
    };
    match sections.text {
        0 => Err(io::Error::other("the program has no section of code")),
        _ => Ok(sections),
    }
}

/// Returns the sum of the sections whose names begin with `name`.
fn sum(sections: &str, name: &str) -> u64 {
    let lines = sections.lines().filter(|line| line.starts_with(name));
    let sizes = lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    sizes.sum()
}
