//! Polls that block a worker or take long.

pub(crate) mod blocking_lock;
pub(crate) mod endless_loop;
pub(crate) mod slow_polls;
