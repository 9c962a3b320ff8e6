//! A timer that a task waits for.

use std::task::Waker;
use std::time::Instant;

use super::driver_handle::DriverHandle;
use super::slab::Key;
use super::timing::Tick;

/// The identity of a timer's waker, without ownership.
///
/// It identifies the clone in the wheel. The comparison is sound while the timer has not fired,
/// because no other waker can have its address then. The original waker would not do: it may be on
/// a stack, return clones of another waker, and be replaced by another waker at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WakerId {
    data: usize,
    vtable: usize,
}

impl WakerId {
    fn of(waker: &Waker) -> Self {
        Self {
            data: waker.data().addr(),
            vtable: std::ptr::from_ref(waker.vtable()).addr(),
        }
    }
}

/// A deadline and a waker in the wheel of a driver; dropping it removes them.
///
/// The clock shows whether it has fired. The wheel never fires before the deadline, so a timer
/// whose deadline is in the future is still in the wheel.
#[derive(Debug)]
pub(crate) struct Timer {
    driver: DriverHandle,
    key: Key,
    fires_at: Tick,
    waker: WakerId,
}

impl Timer {
    /// Inserts a timer. The driver calls the waker at the deadline, or never if there is none.
    ///
    /// # Panics
    ///
    /// Panics if the driver was dropped.
    pub(crate) fn new(driver: DriverHandle, deadline: Option<Instant>, waker: &Waker) -> Self {
        let fires_at = tick_of(&driver, deadline);
        let waker = waker.clone();
        let id = WakerId::of(&waker);
        let timer = Self {
            key: driver.insert_timer(fires_at, waker),
            driver,
            fires_at,
            waker: id,
        };
        timer.check_driver();
        timer
    }

    /// Returns the driver whose clock the timer uses.
    pub(crate) fn driver(&self) -> &DriverHandle {
        &self.driver
    }

    /// Updates waker and deadline: the waker is called at the deadline or before. `now` is the
    /// current time of the driver's clock.
    ///
    /// Takes no lock if this waker will be called anyway.
    ///
    /// # Panics
    ///
    /// Panics if the driver was dropped.
    pub(crate) fn update(&mut self, now: Instant, deadline: Option<Instant>, waker: &Waker) {
        self.check_driver();
        let fires_at = tick_of(&self.driver, deadline);
        let waits = self.driver.tick_of(now) < self.fires_at;
        if waits && WakerId::of(waker) == self.waker && self.fires_at <= fires_at {
            return;
        }
        let waker = waker.clone();
        let id = WakerId::of(&waker);
        self.key = self.driver.replace_timer(self.key, fires_at, waker);
        (self.fires_at, self.waker) = (fires_at, id);
        // Check again: a driver that was dropped in between has not seen the new waker.
        self.check_driver();
    }

    /// Moves the timer to an earlier deadline, if it has not fired.
    ///
    /// A later deadline has no effect: the waker is called too early, and the next
    /// [`update`](Self::update) sets the timer again. So postponing a deadline again and again
    /// costs one early wake, and no lock.
    pub(crate) fn bring_forward(&mut self, deadline: Option<Instant>) {
        let fires_at = tick_of(&self.driver, deadline);
        if fires_at >= self.fires_at {
            return;
        }
        if let Some(key) = self.driver.postpone_timer(self.key, fires_at) {
            self.key = key;
            self.fires_at = fires_at;
        }
    }

    /// Panics if the driver was dropped. Its drop preceded this check, or finds the waker.
    fn check_driver(&self) {
        assert!(
            !self.driver.is_closed(),
            "the volt runtime that drives this timer has shut down"
        );
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.driver.remove_timer(self.key);
    }
}

fn tick_of(driver: &DriverHandle, deadline: Option<Instant>) -> Tick {
    deadline.map_or(Tick::MAX, |deadline| driver.tick_of(deadline))
}
