//! Futures authored as explicit state machines, and the runtime that runs them.
#![cfg_attr(not(feature = "rt"), no_std)]

// Floor 1: what everything stands on.
#[cfg(feature = "rt")]
mod loom;
pub mod machine;

#[doc(hidden)]
pub use machine::private as __private;
pub use volt_macros::state_machine;
