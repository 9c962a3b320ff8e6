//! The processor time of child processes, which hardly depends on the load of the machine.

use std::{fs, io};

/// Returns the processor time of finished child processes and their children, in seconds.
pub(crate) fn children_seconds() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let unreadable = || io::Error::other("no processor time in the statistics");
    // The second field is a name in parentheses that may contain any character, including blanks.
    let (_, fields) = stat.rsplit_once(") ").ok_or_else(unreadable)?;
    let ticks = fields
        .split(' ')
        .nth(CHILDREN_USER)
        .ok_or_else(unreadable)?;
    let ticks: f64 = ticks.parse().map_err(|_| unreadable())?;
    Ok(ticks / TICKS_A_SECOND)
}

/// The field `cutime`, counted from the third one on.
const CHILDREN_USER: usize = 13;

/// The unit that Linux shows to programs, independent of the timer of the kernel.
const TICKS_A_SECOND: f64 = 100.0;
