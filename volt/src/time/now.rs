//! The present, by the clock that the timers go by.

use std::time::{Duration, Instant};

use crate::driver::was_no_clock_paused;
use crate::runtime::context;

/// The present: by the clock of this thread's runtime, or the system's outside a runtime.
///
/// They differ only where a test has [paused](super::pause) the clock. Code that computes
/// deadlines by this function rather than by [`Instant::now`] can be tested that way.
#[must_use]
pub fn now() -> Instant {
    if was_no_clock_paused() {
        return Instant::now();
    }
    context::with_driver(|driver| driver.map_or_else(Instant::now, |driver| driver.now()))
}

/// The instant that comes after this duration; `None` when no clock counts that far.
pub(super) fn after(duration: Duration) -> Option<Instant> {
    now().checked_add(duration)
}

/// Whether the clock of this thread's runtime, if it is in one, is the system's.
#[inline]
pub(super) fn is_clock_unpaused() -> bool {
    was_no_clock_paused()
        || context::with_driver(|driver| driver.is_none_or(|driver| driver.has_system_clock()))
}
