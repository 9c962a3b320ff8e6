//! What goes wrong, as one sentence for the reader.

use std::fmt::Display;

/// A value, or the sentence that says why there is none.
pub(crate) type Outcome<T> = Result<T, String>;

/// Says what was being done when an error came.
pub(crate) trait Doing<T> {
    /// `doing: error`, for example `reading a.toml: no such file`.
    fn doing(self, doing: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T, E: Display> Doing<T> for Result<T, E> {
    fn doing(self, doing: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| format!("{}: {error}", doing()))
    }
}
