//! Panics of the macro, which users see as an error.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the result of the work, or `None` if it panics. The values that it used are not used
/// again.
pub(crate) fn catch_macro_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests;
