//! The present, by the clock that the timers go by.

use std::time::{Duration, Instant};

use crate::runtime::context;

/// The present: by the clock of this thread's runtime, or the system's outside a runtime.
pub(super) fn now() -> Instant {
    context::with_driver(|driver| driver.map_or_else(Instant::now, |driver| driver.now()))
}

/// The instant that comes after this duration; `None` when no clock counts that far.
pub(super) fn after(duration: Duration) -> Option<Instant> {
    now().checked_add(duration)
}
