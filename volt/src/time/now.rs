//! The current time, by the clock of the timers.

use std::time::{Duration, Instant};

use crate::driver::was_no_clock_paused;
use crate::runtime::context;

/// Returns the current time by the clock of this thread's runtime. Outside a runtime, it is the
/// time of the system.
///
/// The clocks differ only after a test has [paused](super::pause) the clock. So a test can pause
/// the clock of code that computes its deadlines with this function instead of [`Instant::now`].
#[must_use]
pub fn now() -> Instant {
    if was_no_clock_paused() {
        return Instant::now();
    }
    context::with_driver(|driver| driver.map_or_else(Instant::now, |driver| driver.now()))
}

/// Returns the instant after this duration, or `None` if it cannot be represented.
pub(super) fn after(duration: Duration) -> Option<Instant> {
    now().checked_add(duration)
}

/// Returns `true` if the clock of this thread's runtime is that of the system. Also returns `true`
/// outside a runtime.
#[inline]
pub(super) fn is_clock_unpaused() -> bool {
    was_no_clock_paused()
        || context::with_driver(|driver| driver.is_none_or(|driver| driver.has_system_clock()))
}
