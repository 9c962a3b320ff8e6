//! The rules about large and growing groups of tasks.
//!
//! `growth_rules` finds the groups, and `notifiers` the tasks that may end their waits.

mod notifiers;
mod growth_rules;
