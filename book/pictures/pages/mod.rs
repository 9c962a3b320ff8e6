//! The charts of the pages with benchmarks: each reads the table of its page.

pub(crate) mod ratios;
pub(crate) mod executors;
pub(crate) mod combinators;
pub(crate) mod polls;
pub(crate) mod compile_time;
pub(crate) mod steps;
pub(crate) mod sizes;
