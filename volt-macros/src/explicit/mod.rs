//! The explicit layout: writes the machine from the results of all stages.
//!
//! ```text
//! fn handle(stream: Stream) -> Handle { .. }         constructor     stores its arguments
//! struct Handle { bytes: Bytes<..>, .. }             constructor     the machine
//! const _: () = {
//!     async fn __handle(stream: Stream) -> .. {..}   reference_fn    the user's function: its errors,
//!                                                                    its size, `Send` and `Sync`
//!     type __WellTyped = ..;                         reference_fn    no type if that has errors, so
//!                                                                    that they are reported once
//!     const _: CheckedClaim = ..;                    refuted_claims  an assumption of the macro
//!                                                                    about types
//!     impl LayoutInfo for Handle { .. }              probe           the body, never run: the size
//!                                                                    of each stored value
//!                                                    receiver_gate   a method moves or borrows its
//!                                                                    receiver
//!     machine! { .. advance { .. } }                 advance         the blocks, each an `if` in
//!                                                                    source order
//! };                                                 blocks          guards, steps, stores
//!                                                    inspection      the locals that a tree shows
//!                                                    snapshot        `Serialize`, `Deserialize`
//! ```
//!
//! All `unsafe` code is in `volt::machine::expansion::inferred`. The expansion consists of the
//! user's own text and calls of that module.

mod explicit_machine;
mod claims;
mod matched_values;
mod confirmed_calls;
mod refuted_claims;
mod rewrite;
mod probe;
mod receiver_gate;
mod states;
mod blocks;
mod typed_fields;
mod advance;
mod reference_fn;
mod constructor;

pub(crate) use constructor::machine;
pub(crate) use explicit_machine::ExplicitMachine;
pub(crate) use reference_fn::MAX_PROBED_ARGUMENTS;
