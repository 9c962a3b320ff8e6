//! Probable causes of hangs and delays in a dump.
//!
//! - `finding`: the types; `advice`: the next step for each kind; `merged_findings` joins findings
//!   that have one cause.
//! - `rules`: a function for each kind; `tree_rules`: those that read the trees of futures;
//!   `cycle_rules`: tasks that wait for each other.
//! - `dormant_rules`: futures that are not polled; `exception_rules`: replies that do
//!   not arrive; `socket_rules`: silent peers; `locks`: locks and
//!   their owners; `channel_rules`: the other ends of channels.
//! - `threads`: long polls, jobs and late timers; `growth`: large and growing groups.

mod finding;
mod advice;
mod merged_findings;
mod rules;
mod tree_rules;
mod cycle_rules;
mod locks;
mod dormant_rules;
mod channel_rules;
mod exception_rules;
mod socket_rules;
mod threads;
mod growth;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;

pub use self::finding::{Finding, FindingKind, FindingLimits, Severity};
pub(super) use self::rules::findings;
