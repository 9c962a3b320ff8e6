//! The runtime: what a thread needs to know of where it runs.

pub(crate) mod context;
