//! The processor time of what was run, which hardly depends on what else runs.

use std::{fs, io};

/// The seconds that finished child processes, and theirs, have computed for.
pub(crate) fn children_seconds() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let unreadable = || io::Error::other("no processor time in the statistics");
    // The second field is a name in parentheses and may hold anything, blanks too.
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

/// What every Linux shows its programs, whatever it counts by inside.
const TICKS_A_SECOND: f64 = 100.0;
