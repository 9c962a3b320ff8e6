//! The operations for which a descriptor was opened.

use std::fs::File;
use std::io;

/// The access mode of a descriptor, once the system was asked for it.
///
/// An operation that can never take place fails at once, as it does in the standard library. So no
/// write is accepted that would fail for ever.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AccessMode(Option<AllowedAccess>);

#[derive(Clone, Copy, Debug)]
struct AllowedAccess {
    reads: bool,
    writes: bool,
}

impl AccessMode {
    pub(super) fn check_read(&mut self, file: &File) -> io::Result<()> {
        refuse_unless(self.of(file)?.reads)
    }

    pub(super) fn check_write(&mut self, file: &File) -> io::Result<()> {
        refuse_unless(self.of(file)?.writes)
    }

    fn of(&mut self, file: &File) -> io::Result<AllowedAccess> {
        match self.0 {
            Some(known) => Ok(known),
            None => Ok(*self.0.insert(query_access(file)?)),
        }
    }
}

#[cfg(target_os = "linux")]
fn query_access(file: &File) -> io::Result<AllowedAccess> {
    use rustix::fs::OFlags;

    let flags = rustix::fs::fcntl_getfl(file)?;
    let mode = flags & OFlags::RWMODE;
    let is_path = flags.contains(OFlags::PATH);
    Ok(AllowedAccess {
        reads: !is_path && mode != OFlags::WRONLY,
        writes: !is_path && mode != OFlags::RDONLY,
    })
}

/// Elsewhere the operation itself finds out.
#[cfg(not(target_os = "linux"))]
fn query_access(_: &File) -> io::Result<AllowedAccess> {
    Ok(AllowedAccess {
        reads: true,
        writes: true,
    })
}

#[cfg(target_os = "linux")]
fn refuse_unless(is_allowed: bool) -> io::Result<()> {
    if is_allowed {
        return Ok(());
    }
    Err(rustix::io::Errno::BADF.into())
}

#[cfg(not(target_os = "linux"))]
fn refuse_unless(_: bool) -> io::Result<()> {
    Ok(())
}
