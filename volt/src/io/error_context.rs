//! Errors that say what was attempted.

use std::error::Error;
use std::fmt;
use std::io;

/// An error of the system together with the attempt that met it.
#[derive(Debug)]
struct Attempt {
    what: String,
    error: io::Error,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.what, self.error)
    }
}

impl Error for Attempt {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// Says of an error what could not be done; it keeps its kind, and is the source of the new one.
#[cold]
pub(crate) fn attempted(what: impl fmt::Display, error: io::Error) -> io::Error {
    let what = what.to_string();
    io::Error::new(error.kind(), Attempt { what, error })
}
