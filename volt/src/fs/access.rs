//! The operations for which a descriptor was opened.

use std::fs::File;
use std::io;

/// The access mode of a descriptor, once the system was asked for it.
///
/// An operation that can never take place fails at once, as it does in the standard library. So no
/// write is accepted that would fail for ever.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Access(Option<Allowed>);

#[derive(Clone, Copy, Debug)]
struct Allowed {
    reads: bool,
    writes: bool,
}

impl Access {
    pub(super) fn check_read(&mut self, file: &File) -> io::Result<()> {
        refuse_unless(self.of(file)?.reads)
    }

    pub(super) fn check_write(&mut self, file: &File) -> io::Result<()> {
        refuse_unless(self.of(file)?.writes)
    }

    fn of(&mut self, file: &File) -> io::Result<Allowed> {
        match self.0 {
            Some(known) => Ok(known),
            None => Ok(*self.0.insert(ask_system(file)?)),
        }
    }
}

#[cfg(target_os = "linux")]
fn ask_system(file: &File) -> io::Result<Allowed> {
    use rustix::fs::OFlags;

    let flags = rustix::fs::fcntl_getfl(file)?;
    let mode = flags & OFlags::RWMODE;
    let is_path = flags.contains(OFlags::PATH);
    Ok(Allowed {
        reads: !is_path && mode != OFlags::WRONLY,
        writes: !is_path && mode != OFlags::RDONLY,
    })
}

/// Elsewhere the operation itself finds out.
#[cfg(not(target_os = "linux"))]
fn ask_system(_: &File) -> io::Result<Allowed> {
    Ok(Allowed {
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
