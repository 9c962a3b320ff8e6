//! The processor time of a process, in nanoseconds, also of one that still runs.

use std::fs;
use std::time::Duration;

/// Returns the sum over all threads of the process, the kernel's workers for io_uring included.
///
/// Threads that have ended are not counted, so a contestant must keep its threads.
pub(crate) fn of(process: u32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("the process runs");
    let nanoseconds = threads.filter_map(|thread| {
        let line = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        line.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}
