//! Wakers that are lost, and tasks that no event wakes.

pub(crate) mod forgotten;
pub(crate) mod leak;
pub(crate) mod lost;
