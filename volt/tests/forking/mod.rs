//! Something that is done in a fork of this process.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

/// Calls `act` in a fork of this process, which then runs something else. If it takes longer than 20 seconds the
/// kernel ends it: a thread that watches it might never start there.
pub(crate) fn forked(mut act: impl FnMut() -> bool + Send + Sync + 'static) -> io::Result<Output> {
    let mut command = Command::new("true");
    let act = move || {
        // SAFETY: It has no other effect than the signal, which nothing here catches.
        unsafe { libc::alarm(20) };
        match act() {
            true => Ok(()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    };
    // SAFETY: The child may do anything here on the systems that these tests run on, whose
    // allocators can be used after a fork; and no other thread of this process holds a lock that
    // it takes.
    unsafe { command.pre_exec(act) };
    command.output()
}

/// Whether `act` said so in a fork of this process.
pub(crate) fn holds_in_a_fork(act: impl FnMut() -> bool + Send + Sync + 'static) -> bool {
    forked(act).is_ok_and(|output| output.status.success())
}
