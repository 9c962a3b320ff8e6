//! The access mode of a descriptor.

use std::fs::File;
use std::io;

/// The access mode of a descriptor, which is queried once.
///
/// An operation that the mode does not allow fails at once, as it does in the standard library. So
/// a `File` accepts no write that can never succeed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AccessMode(Option<AllowedAccess>);

#[derive(Clone, Copy, Debug)]
struct AllowedAccess {
    reads: bool,
    writes: bool,
}

impl AccessMode {
    pub(super) fn check_read(&mut self, file: &File) -> io::Result<()> {
        check_allowed(self.of(file)?.reads)
    }

    pub(super) fn check_write(&mut self, file: &File) -> io::Result<()> {
        check_allowed(self.of(file)?.writes)
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

/// On other systems only the operation itself returns the error.
#[cfg(not(target_os = "linux"))]
fn query_access(_: &File) -> io::Result<AllowedAccess> {
    Ok(AllowedAccess {
        reads: true,
        writes: true,
    })
}

#[cfg(target_os = "linux")]
fn check_allowed(is_allowed: bool) -> io::Result<()> {
    if is_allowed {
        return Ok(());
    }
    Err(rustix::io::Errno::BADF.into())
}

#[cfg(not(target_os = "linux"))]
fn check_allowed(_: bool) -> io::Result<()> {
    Ok(())
}
