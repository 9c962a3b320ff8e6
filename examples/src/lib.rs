//! Shared pieces of the example programs.

pub mod command;
pub mod middleware;
