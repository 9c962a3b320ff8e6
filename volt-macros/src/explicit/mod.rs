//! The machine, written.
//!
//! ```text
//! fn handle(stream: Stream) -> Handle { .. }        maker     stores its arguments
//! struct Handle { bytes: Bytes<..>, .. }            maker     the machine
//! const _: () = {
//!     async fn __handle(stream: Stream) -> .. {..}  twin      the function as it was: says `Send`, checks the text
//!     type __WellTyped = ..;                         twin     no type if the twin is wrong: nothing is said a second time
//!     impl Parts for Handle {
//!         const RECURSIVE_MACHINE_NEEDS_BOX_PIN: MachineLayout = .. layout_of(&|..| ..) ..;     probe     the body, never run: what is stored, and how large
//!                                                ask       whether a method takes its receiver
//!     }
//!     machine! { .. advance { .. } }                advance   the blocks, each an `if` in source order:
//! };                                                block       hold what lives, do the steps, put what lives next
//! ```
//!
//! Everything that needs `unsafe` stands in `volt::machine::expansion::inferred`; what is written here is the
//! user's own text between calls of it.

mod explicit_machine;
mod claims;
mod rewrite;
mod probe;
mod receiver_gate;
mod states;
mod blocks;
mod advance;
mod reference_fn;
mod typed_fields;
mod constructor;

pub(crate) use constructor::machine;
pub(crate) use explicit_machine::ExplicitMachine;
