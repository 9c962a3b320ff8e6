//! Errors as one sentence, with the operation that failed.

use std::fmt::Display;

/// A value, or the sentence that describes the error.
pub(crate) type Outcome<T> = Result<T, String>;

/// Adds the operation that failed to an error.
pub(crate) trait Context<T> {
    /// Returns `operation: error`, for example `reading a.toml: no such file`.
    fn context(self, context: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, context: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| format!("{}: {error}", context()))
    }
}
