//! Builds and test runs, and the errors that they report.

pub(crate) mod cargo;
pub(crate) mod command;
pub(crate) mod diagnostic;
pub(crate) mod suites;
