//! A fault of the macro's own, kept from its users.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the work gives, or nothing if it panics. What it was in the middle of is not used again.
pub(crate) fn catch_macro_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests;
