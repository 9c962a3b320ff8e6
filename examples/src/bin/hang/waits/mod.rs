//! Waits for a task, a timer or a peer that do not end.

pub(crate) mod cancelled;
pub(crate) mod cycle;
pub(crate) mod far_timer;
pub(crate) mod missing_reply;
pub(crate) mod silent_peer;
