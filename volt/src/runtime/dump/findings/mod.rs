//! Probable causes of hangs and delays in a dump.
//!
//! `finding` has the types, and `rules` a function for each kind. `tree_rules` has the functions
//! that read the trees of futures, `dormant_rules` the one about futures that are not polled, and
//! `socket_rules` those about silent peers. `lock_rules` has the one about owners of locks,
//! `threads` those about long polls and jobs, and `overdue_rules` the one about timers that no
//! thread fires. `channel_rules` finds the other ends of channels. `growth_rules` has the rules
//! about large groups and those that grow, and `advice` the next step for each kind.

mod finding;
mod rules;
mod tree_rules;
mod dormant_rules;
mod lock_rules;
mod channel_rules;
mod socket_rules;
mod threads;
mod overdue_rules;
mod growth_rules;
mod advice;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;

pub use self::finding::{Finding, FindingKind, FindingLimits, Severity};
pub(super) use self::rules::findings;
