//! From an `async fn` to a state machine.
//!
//! ```text
//! tokens ─parse→ Function ─irrefutable─assignment─shadow→ unique names ─check→ Body ─flow→ Flow
//!        ─liveness→ what each point keeps ─lower→ Machine ─expand→ tokens
//! ```
//!
//! - `method` lifts a method out of its `impl`, so that all others see a function.
//! - `parse` reads the signature: which arguments are stored, which are lent.
//! - `doubt` refuses what a machine would change, by its looks.
//! - `irrefutable` marks names with a capital letter that can only be bindings.
//! - `assignment` makes one assignment a target of those that take their value apart.
//! - `shadow` renames locals that hide others which are still in scope, and those of inner blocks
//!   that have the name of a function which is `called`; where it cannot, only those
//!   that `doubled` tells.
//! - `check` takes the statements on the way to an await apart, and refuses what it does not
//!   know. Everything else stays whole.
//! - `claims` asks the compiler what the source does not show of places that are looked for again,
//!   `coerced` of what is made of them on the way to a callee.
//! - `flow` draws the control flow with each use, move and assignment of a local.
//! - `in_place` chooses the large locals that are not moved from state to state; `places` makes
//!   their names those of references, and those of locals that may be gone what takes them.
//! - `liveness` decides, for each suspend point, what is kept and how.
//! - `lower` chooses the places of `poll` that are jumped to, and gives everything its name.
//! - `expand` writes it down.
//! - `native` makes the machine of a function of which `check` is in doubt: the body stays as it is.
//!
//! A body that does not parse is left out by `sketch`. A panic in the analysis, or anywhere else in
//! the macro, is caught by `guard`.
//!
//! Errors are collected all the way and reported together. If there are any, the signature still
//! expands: with a machine that does nothing, or as a plain function if it is wrong itself.

mod guard;
mod source_text;
mod rule;
mod rule_text;
mod why;
mod errors;
mod names;
mod args;
mod scope;
mod format_string;
mod macros;
mod captured;
mod taking;
mod taken;
mod operators;
mod pattern;
mod unpack;
mod heads;
mod capture;
mod substitute;
mod in_macros;
mod elided;
mod method;
mod argument;
mod parse;
mod machine_name;
mod generics;
mod composed;
mod claim;
mod body;
mod place;
mod doubt;
mod assignment;
mod irrefutable;
mod called;
mod shadow;
mod lending;
mod standing;
mod callee;
mod advice;
mod composing;
mod known;
mod poll_fn;
mod operand;
mod claims;
mod coerced;
mod check;
mod flow;
mod used;
mod owned;
mod presence;
mod adopt;
mod hidden;
mod plain;
mod beside;
mod in_place;
mod liveness;
mod doubled;
mod imports;
mod model;
mod conditional;
mod places;
mod lower;
pub(crate) mod expand;
mod sketch;
mod report;
mod configured;
mod inner;
mod native;
mod pipeline;
mod of_trait;
mod impl_block;
mod entry;

pub(crate) use entry::expand;
#[cfg(test)]
pub(crate) use {
    args::Options,
    entry::guarded as guarded_item,
    errors::{Errors, Rule},
    parse::Function,
    pipeline::{guarded, model},
};
