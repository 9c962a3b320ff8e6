//! Probable causes of hangs and delays in a dump.
//!
//! `finding` has the types, and `rules` a function for each kind.

mod finding;
mod rules;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;

pub use self::finding::{Finding, FindingKind, FindingLimits, Severity};
pub(super) use self::rules::findings;
