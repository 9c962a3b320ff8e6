//! A descriptor of a process, which Linux has since version 5.3.

use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// Opens a descriptor that can be read from when the process has ended; fails on systems that have
/// none, or forbid it.
pub(super) fn open(process: u32) -> io::Result<OwnedFd> {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    let process = process.ok_or(io::ErrorKind::InvalidInput)?;
    // It is closed when another program is started.
    Ok(pidfd_open(process, PidfdFlags::empty())?)
}
