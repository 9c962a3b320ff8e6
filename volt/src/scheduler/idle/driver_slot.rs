//! The driver slot, in which one worker waits in the driver, and that worker's stall monitor.
//!
//! A task in a worker's LIFO slot wakes nobody, because its worker will come to it within one poll.
//! That poll may block. So as long as other workers are awake, the sleeper in the driver monitors
//! them. It sets itself a timer, notes in which poll each of them is, and monitor_rounds again when
//! the timer goes off. A worker that is still in the same poll and has a task in its slot is
//! *stalled*, and the sleeper gets up to take that task. It does the same for a task in the ring or
//! the buffer that nobody was notified of: one that this poll has run inside of a join, and that
//! was woken meanwhile; and what a [busy worker](crate::scheduler::worker) had left to itself. Once
//! all others sleep there is nothing to monitor and no timer.
//!
//! A paused clock pauses the monitor with it. Whoever takes the driver slot then gets up at once if
//! there is anything in the ring of another worker.
//!
//! This bounds the wait behind a blocked poll by two [`PERIOD`]s and a search. Where nobody
//! monitored_poll, the one that fills a slot has called for it, and that task is what the first
//! look finds: then the second look comes after a [`SHORT_PERIOD`].
//!
//! Most polls that take long fill no slot. If none was used for some monitor_rounds, and no worker
//! had any task in its queues, the monitor *is_backed_off*: it monitor_rounds only once in a
//! [`LONG_PERIOD`], and the first to fill an empty slot rouses it, which costs all others one load.
//! That the two miss each other is possible, and costs a long period.
//!
//! # Why somebody monitors
//!
//! 1. If a worker sleeps while another is awake, somebody has the driver slot or will have it soon:
//!    whoever leaves it for work is a searcher, and the last searcher that finds work while nobody
//!    sits there starts the countdown of [standby](super::standby) or wakes another sleeper.
//! 2. If the one in the driver slot lay down while all slept, it does not monitor. A worker that
//!    finds work fences, and notes whether there is a monitor; if not, it rings the driver_handle
//!    when it first fills its slot, unless nobody sits there. The sleeper takes back its word that
//!    there is a monitor, fences, and counts the others: one of the two sees the other.

use std::task::Waker;
use std::time::{Duration, Instant};

use crate::driver::{Driver, DriverHandle, Timer};

use super::park::WaitPlace;

/// The time between two monitor_rounds at the others.
const PERIOD: Duration = Duration::from_micros(400);
/// The same where a slot is found filled after nobody had looked for a while.
const SHORT_PERIOD: Duration = Duration::from_micros(20);
/// The same once nobody uses their slots.
const LONG_PERIOD: Duration = Duration::from_millis(20);
/// So many monitor_rounds in a row must have found the slots unused.
const BACKOFF_AFTER: u32 = 8;

/// What the worker that sits in the driver has.
#[derive(Debug)]
pub(crate) struct DriverSlot {
    driver: Driver,
    monitor: Option<StallMonitor>,
    /// Tasks that had been run from slots at the last look.
    hits: u64,
    /// Looks since these became more.
    idle_rounds: u32,
}

#[derive(Debug)]
struct StallMonitor {
    timer: Timer,
    until: Instant,
    is_backed_off: bool,
}

/// What a look at the slots of all workers found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotUsage {
    /// Somebody has filled one while the monitor dozed.
    pub(crate) was_woken: bool,
    /// There is a task in one, or in another queue of a worker.
    pub(crate) filled: bool,
    /// Tasks that were ever run from one.
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

    /// Fires what is due, without waiting.
    pub(crate) fn turn(&mut self) {
        self.driver.turn();
    }

    /// Lets the time of a paused clock pass, if the other workers rest: see
    /// [`Driver::auto_advance`]. There is nobody to monitor then, and so the monitor is no
    /// deadline.
    ///
    /// Who comes to rest between that question and the driver's has unparked us, so it is asked
    /// again.
    pub(crate) fn auto_advance(&mut self, others_rest: impl Fn() -> bool) -> bool {
        let unmonitored = others_rest();
        if unmonitored {
            self.monitor = None;
        }
        self.driver.auto_advance(|| unmonitored && others_rest())
    }

    /// Makes the next wait end within a period. Returns true if a new period begins; else the
    /// last one still runs.
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
            + match is_backed_off {
                true => LONG_PERIOD,
                false if is_first && slots.filled => SHORT_PERIOD,
                false => PERIOD,
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

    /// A timer may go off before its time, where that was put off: then it must be set again.
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

    /// The monitor was of use: it shall not doze for the next while.
    pub(crate) fn reset_backoff(&mut self) {
        self.idle_rounds = 0;
    }

    /// Whether the monitor monitor_rounds but rarely.
    pub(crate) fn is_backed_off(&self) -> bool {
        self.monitor
            .as_ref()
            .is_some_and(|monitor| monitor.is_backed_off)
    }

    /// Whether the last period has been over for so long, if there was one.
    fn is_over_for(&self, time: Duration, now: Instant) -> bool {
        self.monitor
            .as_ref()
            .is_none_or(|monitor| monitor.until + time <= now)
    }

    /// Whether the period that [`monitor`](Self::monitor) began has passed.
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
    fn monitor_is_no_deadline_for_those_who_come_to_rest_meanwhile() {
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
    fn filled_slot_that_called_the_monitor_is_looked_at_again_soon() {
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
        // From then on the monitor is there already.
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
    fn monitor_that_is_roused_shortly_before_its_look_looks_again() {
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
        // The timer that was there goes off, before the new period is over.
        pass(&mut driver_slot, little);
        assert!(!driver_slot.monitor(&driver_handle, UNUSED));
        assert_eq!(driver_handle.timers(), 1);
        pass(&mut driver_slot, PERIOD);
        assert!(driver_slot.monitor(&driver_handle, UNUSED));
    }
}
