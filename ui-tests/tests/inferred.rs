//! A machine with inferred fields, at each of its steps.
//!
//! Programs with inferred fields that must not compile are in `refuse/inferred_*`.
#![forbid(unsafe_code)]

#[path = "inferred/bound.rs"]
mod bound;
#[path = "inferred/copied.rs"]
mod copied;
#[path = "inferred/handle.rs"]
mod handle;
#[path = "inferred/fallback.rs"]
mod fallback;
#[path = "inferred/support.rs"]
mod support;
