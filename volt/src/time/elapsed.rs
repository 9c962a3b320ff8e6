//! The error of what came too late.

use std::error::Error;
use std::fmt;
use std::io;

/// The deadline of a [`Timeout`](super::Timeout) has passed.
///
/// It becomes an [`io::Error`] of kind [`TimedOut`](io::ErrorKind::TimedOut) by `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed(());

impl Elapsed {
    pub(super) fn new() -> Self {
        Self(())
    }
}

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the deadline has passed")
    }
}

impl Error for Elapsed {}

impl From<Elapsed> for io::Error {
    fn from(elapsed: Elapsed) -> Self {
        Self::new(io::ErrorKind::TimedOut, elapsed)
    }
}
