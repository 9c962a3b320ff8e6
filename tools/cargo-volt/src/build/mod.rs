//! Builds, and the tests that they make.

pub(crate) mod cargo_args;
pub(crate) mod command;
pub(crate) mod diagnostic;
pub(crate) mod cargo;
pub(crate) mod suites;
