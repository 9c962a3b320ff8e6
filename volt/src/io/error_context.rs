//! Errors of the system with the action that failed.

use std::error::Error;
use std::fmt;
use std::io;

/// An error of the system together with the action that it ended.
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

/// Returns an error whose message names the action that failed. It has the kind of `error`, and
/// `error` is its source.
#[cold]
pub(crate) fn with_context(action: impl fmt::Display, error: io::Error) -> io::Error {
    let action = action.to_string();
    io::Error::new(error.kind(), ContextError { action, error })
}
