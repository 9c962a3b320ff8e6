//! The present, by the clock that the timers go by.

use std::time::{Duration, Instant};

use crate::driver::are_all_untouched;
use crate::runtime::context;

/// The present: by the clock of this thread's runtime, or the system's outside a runtime.
///
/// They differ only where a test has [paused](super::pause) the clock. Code that computes
/// deadlines by this function rather than by [`Instant::now`] can be tested that way.
#[must_use]
pub fn now() -> Instant {
    if are_all_untouched() {
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
    are_all_untouched()
        || context::with_driver(|driver| driver.is_none_or(|driver| driver.has_system_clock()))
}
