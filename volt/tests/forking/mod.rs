//! Helpers that run a function in a fork of this process.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

/// Calls `act` in a fork of this process, which then runs another program. The kernel ends the fork
/// after 60 seconds, because a watchdog thread might not start there.
pub(crate) fn forked(mut act: impl FnMut() -> bool + Send + Sync + 'static) -> io::Result<Output> {
    let mut command = Command::new("true");
    let act = move || {
        // SAFETY: The call only sets a timer for a signal, and no handler catches the signal.
        unsafe { libc::alarm(60) };
        if act() {
            Ok(())
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    };
    // SAFETY: The allocators of the tested systems can be used after a fork, and no other thread of
    // this process holds a lock that `act` takes.
    unsafe { command.pre_exec(act) };
    command.output()
}

/// Returns `true` if `act` returns `true` in a fork of this process.
pub(crate) fn holds_in_a_fork(act: impl FnMut() -> bool + Send + Sync + 'static) -> bool {
    forked(act).is_ok_and(|output| output.status.success())
}
