//! The clock of a driver, and its control by tests.

use std::time::{Duration, Instant};

use super::driver::DriverHandle;

impl DriverHandle {
    /// Returns the current time of the driver's clock.
    #[inline]
    pub(crate) fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// Returns that time, if the clock of the system reads `system` now.
    #[inline]
    pub(crate) fn now_by(&self, system: Instant) -> Instant {
        self.shared.clock.now_by(system)
    }

    /// Returns `true` if the deadline is known to be in the future without a reading of the exact
    /// clock.
    #[inline]
    pub(crate) fn is_far_ahead(&self, deadline: Option<Instant>) -> bool {
        deadline.is_none_or(|it| self.shared.clock.is_far_ahead(self.tick_of(it)))
    }

    /// Returns `true` if the clock is the system's, and was never paused.
    #[inline]
    pub(crate) fn has_system_clock(&self) -> bool {
        !self.shared.clock.was_paused()
    }

    /// Returns `true` if the clock is paused.
    #[inline]
    pub(crate) fn is_paused(&self) -> bool {
        self.shared.clock.is_paused()
    }

    /// Pauses the clock.
    pub(crate) fn pause(&self) {
        self.shared.clock.pause();
        self.unpark();
    }

    /// Resumes the clock.
    pub(crate) fn resume(&self) {
        self.shared.clock.resume();
        self.unpark();
    }

    /// Advances a paused clock; the thread in the driver fires the timers that are due. Returns
    /// `false` if the clock is not paused.
    pub(crate) fn advance(&self, by: Duration) -> bool {
        let is_paused = self.shared.clock.advance(by);
        self.unpark();
        is_paused
    }
}
