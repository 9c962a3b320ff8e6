//! Locks of async code that are never released.

pub(crate) mod crossed;
pub(crate) mod held_future;
pub(crate) mod held_guard;
pub(crate) mod held_group;
pub(crate) mod own_lock;
