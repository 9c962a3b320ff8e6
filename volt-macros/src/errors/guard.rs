//! A fault of the macro's own, kept from its users.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the work gives, or nothing if it panics. What it was in the middle of is not used again.
pub(crate) fn unless_panicking<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_gives_nothing() {
        let path = || syn::parse_str::<syn::Path>("<<").expect("a fault of the macro");
        assert!(unless_panicking(path).is_none());
        assert_eq!(unless_panicking(|| 1), Some(1));
    }
}
