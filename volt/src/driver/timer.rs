//! One timer that a task waits for.

use std::task::Waker;
use std::time::Instant;

use super::driver::DriverHandle;
use super::slab::Key;
use super::timing::Tick;

/// Which waker a timer holds, without owning it.
///
/// It is that of the clone which the wheel owns. So comparing is sound for as long as the timer has
/// not fired: no other waker can have its address. The waker that was cloned is no such thing: it
/// may stand on a stack, give out clones of another one, and be followed by the next in its place.
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

/// A deadline and a waker in the wheel of a driver; dropping it takes them out.
///
/// Whether it has fired is told by the clock: the wheel never fires before the deadline, so a
/// timer whose deadline lies ahead is still there.
#[derive(Debug)]
pub(crate) struct Timer {
    driver: DriverHandle,
    key: Key,
    fires_at: Tick,
    waker: WakerId,
}

impl Timer {
    /// Has the driver call the waker at the deadline, or never if there is none.
    ///
    /// # Panics
    ///
    /// Panics when the driver was dropped.
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

    /// The driver whose clock the timer goes by.
    pub(crate) fn driver(&self) -> &DriverHandle {
        &self.driver
    }

    /// Sees to it that the waker is called at the deadline or before; `now` is the present by
    /// the driver's clock.
    ///
    /// Takes no lock when this waker will be called anyway.
    ///
    /// # Panics
    ///
    /// Panics when the driver was dropped.
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
        // Again: a driver that was dropped in between has not seen the new waker.
        self.check_driver();
    }

    /// Has the waker called at an earlier deadline, if it has not been called yet.
    ///
    /// A later deadline changes nothing: the waker is called too early, and the next
    /// [`update`](Self::update) sets that right. So pushing a deadline away time and again costs
    /// one early wake in the end, and no lock.
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

    /// A driver that is gone fires nothing; its drop came before the check or takes the waker.
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
