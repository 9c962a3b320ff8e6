//! Errors that say what was attempted.

use std::error::Error;
use std::fmt;
use std::io;

/// An error of the system together with the attempt that met it.
#[derive(Debug)]
struct ContextError {
    action: String,
    error: io::Error,
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.action, self.error)
    }
}

impl Error for ContextError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// Says of an error what could not be done; it keeps its kind, and is the source of the new one.
#[cold]
pub(crate) fn with_context(action: impl fmt::Display, error: io::Error) -> io::Error {
    let action = action.to_string();
    io::Error::new(error.kind(), ContextError { action, error })
}
