//! Shared pieces of the example programs.

pub mod middleware;
