//! The reports that the macro makes while a crate is compiled.
//!
//! Environment variables request them. Each module documents the form of one report.

pub(crate) mod layouts;
pub(crate) mod sizes;
pub(crate) mod expansions;
