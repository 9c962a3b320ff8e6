//! Checks of settings, and their errors.

use std::io;

/// The maximum number of workers. Systems start fewer threads, and the tables for this number fit
/// in memory.
pub(super) const MAX_WORKERS: usize = 65_535;

pub(super) fn invalid(text: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

pub(super) fn check_stack(bytes: Option<usize>) -> io::Result<()> {
    if bytes.is_some_and(|bytes| isize::try_from(bytes).is_err()) {
        return Err(invalid("the stack size of a thread must fit in an `isize`"));
    }
    Ok(())
}
