//! Items with names that a function of another crate may give to its locals.
#![allow(
    non_upper_case_globals,
    non_camel_case_types,
    reason = "the names of locals"
)]

/// A number.
pub const limit: u32 = 3;

/// A text.
pub const scheme: &str = "https";

/// A constant whose type has a destructor.
pub const missing: Option<String> = None;

/// A unit struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ready;

/// A function, whose name a local may have.
#[must_use]
pub fn count() -> u32 {
    2
}
