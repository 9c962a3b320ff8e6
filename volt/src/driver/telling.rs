//! What the driver's handle tells of the time, and how tests stop it.

use std::time::{Duration, Instant};

use super::driver::DriverHandle;

impl DriverHandle {
    /// The present, by the driver's clock.
    #[inline]
    pub(crate) fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// The present, if the system's clock says `system` at this moment.
    #[inline]
    pub(crate) fn now_by(&self, system: Instant) -> Instant {
        self.shared.clock.now_by(system)
    }

    /// Whether the deadline is known to lie ahead without a look at the exact clock.
    #[inline]
    pub(crate) fn is_far_ahead(&self, deadline: Option<Instant>) -> bool {
        deadline.is_none_or(|it| self.shared.clock.is_far_ahead(self.tick_of(it)))
    }

    /// Whether the clock is the system's, and was never paused.
    #[inline]
    pub(crate) fn has_system_clock(&self) -> bool {
        !self.shared.clock.was_paused()
    }

    /// Whether the clock stands still.
    #[inline]
    pub(crate) fn is_paused(&self) -> bool {
        self.shared.clock.is_paused()
    }

    /// Stops the clock.
    pub(crate) fn pause(&self) {
        self.shared.clock.pause();
        self.unpark();
    }

    /// Lets the clock run on.
    pub(crate) fn resume(&self) {
        self.shared.clock.resume();
        self.unpark();
    }

    /// Moves a paused clock on; the thread in the driver fires what has come due. Returns false
    /// if the clock is not paused.
    pub(crate) fn advance(&self, by: Duration) -> bool {
        let is_paused = self.shared.clock.advance(by);
        self.unpark();
        is_paused
    }
}
