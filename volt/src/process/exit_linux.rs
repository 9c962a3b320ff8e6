//! Descriptors of processes, which Linux has since version 5.3.

use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// Opens a descriptor that becomes readable when the process exits. Returns an error if the system
/// has no such descriptors, or forbids them.
pub(super) fn open(process: u32) -> io::Result<OwnedFd> {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    let process = process.ok_or(io::ErrorKind::InvalidInput)?;
    // The descriptor is `CLOEXEC`, so other children do not inherit it.
    Ok(pidfd_open(process, PidfdFlags::empty())?)
}
