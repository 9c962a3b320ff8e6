//! The driver slot, in which one worker waits in the driver, and the stall monitor of that worker.
//!
//! # The stall monitor
//!
//! A task in a LIFO slot wakes no worker, because its owner polls it after one poll. That poll may
//! block. So while other workers are awake, the worker in the driver *monitors* them: it sets a
//! timer, records the current poll of each worker, and checks them again when the timer fires. A
//! worker that is still in the same poll, with a task in its slot, is *stalled*. The monitor wakes
//! up and takes the task.
//!
//! It also finds tasks in rings and buffers for which no worker was notified:
//!
//! - a task that a blocking join has polled, and that was woken meanwhile;
//! - tasks for which a [busy worker](crate::scheduler::worker) has deferred the notification.
//!
//! When all other workers sleep, there is nothing to monitor and no timer. A paused clock pauses
//! the monitor. A worker that takes the driver slot then searches at once if the ring of another
//! worker has a task.
//!
//! # Periods
//!
//! A task waits for a blocked poll for at most two [`PERIOD`]s and a search. If no worker monitors,
//! filling a slot wakes the worker in the driver. Its first check finds that task, and the second
//! check follows after a [`SHORT_PERIOD`].
//!
//! Most long polls fill no slot. If some checks in a row find the slots unused and all queues
//! empty, the monitor *backs off*: it checks once in a [`LONG_PERIOD`]. The first worker to fill an
//! empty slot wakes it, at the cost of one load for all others. The two may miss each other, which
//! costs a long period.
//!
//! # Why there is a monitor
//!
//! 1. If one worker sleeps while another is awake, a worker is in the driver slot, or will be soon.
//!    A worker that leaves the slot for work is a searcher. The last searcher that finds work while
//!    the slot is empty starts the countdown of the [standby](super::standby), or wakes another
//!    worker.
//! 2. A worker that entered the slot while all others slept does not monitor. A worker that finds
//!    work fences, and records whether there is a monitor. If not, it interrupts the driver when it
//!    first fills its slot, unless the slot is empty. The worker in the driver clears
//!    `has_monitor`, fences, and counts the workers that are awake. So one of the two sees the
//!    other.

use std::task::Waker;
use std::time::{Duration, Instant};

use crate::driver::{Driver, DriverHandle, Timer};

use super::park::WaitPlace;

/// The time between two checks of the other workers.
const PERIOD: Duration = Duration::from_micros(400);
/// The same if the first check finds a filled slot.
const SHORT_PERIOD: Duration = Duration::from_micros(20);
/// The same while the slots are unused.
const LONG_PERIOD: Duration = Duration::from_millis(20);
/// The number of checks in a row that must find the slots unused before the monitor backs off.
const BACKOFF_AFTER: u32 = 8;

/// The content of the driver slot.
#[derive(Debug)]
pub(crate) struct DriverSlot {
    driver: Driver,
    monitor: Option<StallMonitor>,
    /// Tasks that had been polled from slots at the last check.
    hits: u64,
    /// Checks since that number last grew.
    idle_rounds: u32,
}

#[derive(Debug)]
struct StallMonitor {
    timer: Timer,
    until: Instant,
    is_backed_off: bool,
}

/// The use of the slots of all workers, found by a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotUsage {
    /// A worker has filled a slot while the monitor was backed off.
    pub(crate) was_woken: bool,
    /// A slot, or another queue of a worker, has a task.
    pub(crate) filled: bool,
    /// The number of tasks that were ever polled from slots.
    pub(crate) hits: u64,
}

impl WaitPlace for DriverSlot {
    fn wait(&mut self) {
        self.driver.wait();
    }
}

impl DriverSlot {
    pub(crate) fn new(driver: Driver) -> Self {
        Self {
            driver,
            monitor: None,
            hits: 0,
            idle_rounds: 0,
        }
    }

    /// Calls the wakers of everything that is due, without a wait.
    pub(crate) fn turn(&mut self) {
        self.driver.turn();
    }

    /// Advances a paused clock if the other workers are quiescent; see [`Driver::auto_advance`]. No
    /// worker is monitored then, so the timer of the monitor is no deadline.
    ///
    /// `others_are_idle` is called again under the driver's lock. A worker that goes to sleep
    /// between the two calls unparks this one.
    pub(crate) fn auto_advance(&mut self, others_are_idle: impl Fn() -> bool) -> bool {
        let is_unmonitored = others_are_idle();
        if is_unmonitored {
            self.monitor = None;
        }
        self.driver
            .auto_advance(|| is_unmonitored && others_are_idle())
    }

    /// Makes the next wait end within a period. Returns `true` if a new period begins, and `false`
    /// if the last one continues.
    pub(crate) fn monitor(&mut self, driver_handle: &DriverHandle, slots: SlotUsage) -> bool {
        let now = driver_handle.now();
        let was_woken = slots.was_woken && self.is_backed_off();
        if !was_woken && !self.is_period_over(now) {
            self.keep_timer(now);
            return false;
        }
        self.record_usage(slots);
        let is_backed_off = self.idle_rounds >= BACKOFF_AFTER;
        let is_first = was_woken || self.is_over_for(PERIOD, now);
        let until = now
            + if is_backed_off {
                LONG_PERIOD
            } else if is_first && slots.filled {
                SHORT_PERIOD
            } else {
                PERIOD
            };
        match &mut self.monitor {
            Some(monitor) => {
                monitor.timer.update(now, Some(until), Waker::noop());
                (monitor.until, monitor.is_backed_off) = (until, is_backed_off);
            }
            None => {
                let timer = Timer::new(driver_handle.clone(), Some(until), Waker::noop());
                self.monitor = Some(StallMonitor {
                    timer,
                    until,
                    is_backed_off,
                });
            }
        }
        true
    }

    /// Sets the timer again. A postponed timer may fire before its time.
    fn keep_timer(&mut self, now: Instant) {
        if let Some(monitor) = &mut self.monitor {
            monitor
                .timer
                .update(now, Some(monitor.until), Waker::noop());
        }
    }

    fn record_usage(&mut self, slots: SlotUsage) {
        let used = slots.was_woken || slots.filled || slots.hits != self.hits;
        self.hits = slots.hits;
        self.idle_rounds = if used {
            0
        } else {
            self.idle_rounds.saturating_add(1)
        };
    }

    /// Records that the monitor has found a stalled worker: it does not back off soon.
    pub(crate) fn reset_backoff(&mut self) {
        self.idle_rounds = 0;
    }

    /// Returns `true` if the monitor checks once in a long period.
    pub(crate) fn is_backed_off(&self) -> bool {
        self.monitor
            .as_ref()
            .is_some_and(|monitor| monitor.is_backed_off)
    }

    /// Returns `true` if the last period ended at least `time` ago, or if there was none.
    fn is_over_for(&self, time: Duration, now: Instant) -> bool {
        self.monitor
            .as_ref()
            .is_none_or(|monitor| monitor.until + time <= now)
    }

    /// Returns `true` if the period that [`monitor`](Self::monitor) began has passed.
    pub(crate) fn is_period_over(&self, now: Instant) -> bool {
        self.monitor
            .as_ref()
            .is_none_or(|monitor| monitor.until <= now)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{BACKOFF_AFTER, DriverSlot, LONG_PERIOD, PERIOD, SHORT_PERIOD, SlotUsage};
    use crate::driver::Driver;
    use std::cell::Cell;
    use std::time::Duration;

    const UNUSED: SlotUsage = SlotUsage {
        was_woken: false,
        filled: false,
        hits: 0,
    };

    #[test]
    fn auto_advance_ignores_timer_of_monitor() {
        let (driver, driver_handle) = Driver::new().unwrap();
        driver_handle.pause();
        let mut driver_slot = DriverSlot::new(driver);
        assert!(driver_slot.monitor(&driver_handle, UNUSED));
        let start = driver_handle.now();
        let asked = Cell::new(false);
        assert!(!driver_slot.auto_advance(|| asked.replace(true)));
        assert_eq!(driver_handle.now(), start);
        assert!(!driver_slot.auto_advance(|| true));
        assert_eq!(driver_handle.now(), start);
    }

    #[test]
    fn filled_slot_shortens_first_period_only() {
        let (driver, driver_handle) = Driver::new().unwrap();
        driver_handle.pause();
        let mut driver_slot = DriverSlot::new(driver);
        let filled = SlotUsage {
            filled: true,
            ..UNUSED
        };
        let period_is = |driver_slot: &mut DriverSlot, period: Duration| {
            assert!(driver_slot.monitor(&driver_handle, filled));
            driver_handle.advance(period - Duration::from_nanos(1));
            assert!(!driver_slot.is_period_over(driver_handle.now()));
            driver_handle.advance(Duration::from_nanos(1));
            assert!(driver_slot.is_period_over(driver_handle.now()));
        };
        period_is(&mut driver_slot, SHORT_PERIOD);
        // The monitor is not new from now on.
        period_is(&mut driver_slot, PERIOD);
        period_is(&mut driver_slot, PERIOD);
        driver_handle.advance(PERIOD);
        period_is(&mut driver_slot, SHORT_PERIOD);
    }

    #[test]
    fn quiet_counter_saturates() {
        let (driver, _bell) = Driver::new().unwrap();
        let mut driver_slot = DriverSlot::new(driver);
        driver_slot.idle_rounds = u32::MAX;
        driver_slot.record_usage(UNUSED);
        assert!(driver_slot.idle_rounds >= BACKOFF_AFTER);
    }

    #[test]
    fn woken_monitor_checks_again_after_a_period() {
        let (driver, driver_handle) = Driver::new().unwrap();
        driver_handle.pause();
        let mut driver_slot = DriverSlot::new(driver);
        let pass = |driver_slot: &mut DriverSlot, time| {
            driver_handle.advance(time);
            driver_slot.turn();
        };
        while !driver_slot.is_backed_off() {
            assert!(driver_slot.idle_rounds < BACKOFF_AFTER);
            assert!(driver_slot.monitor(&driver_handle, UNUSED));
            pass(&mut driver_slot, PERIOD);
        }
        let little = Duration::from_micros(50);
        pass(&mut driver_slot, LONG_PERIOD - PERIOD - little);
        assert!(!driver_slot.monitor(&driver_handle, UNUSED));
        let was_woken = SlotUsage {
            was_woken: true,
            ..UNUSED
        };
        assert!(driver_slot.monitor(&driver_handle, was_woken));
        assert!(!driver_slot.is_backed_off());
        // The earlier timer fires before the new period is over.
        pass(&mut driver_slot, little);
        assert!(!driver_slot.monitor(&driver_handle, UNUSED));
        assert_eq!(driver_handle.timers(), 1);
        pass(&mut driver_slot, PERIOD);
        assert!(driver_slot.monitor(&driver_handle, UNUSED));
    }
}
