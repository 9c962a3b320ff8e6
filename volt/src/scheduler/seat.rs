//! The seat in the driver, and the watch that whoever sits there keeps.
//!
//! A task in a worker's LIFO slot wakes nobody, as its worker will come to it within one poll.
//! That poll may block. So as long as other workers are awake, the sleeper in the driver sets
//! itself a timer, notes in which poll each of them is, and looks again when it goes off: a worker
//! that is still in the same poll and has a task in its slot is *stalled*, and the sleeper gets up
//! to take it. So it does for a task in the ring or the buffer, of which nobody was told yet: a task
//! that this poll has run inside of a join, and that was woken meanwhile. Once all others sleep there
//! is nothing to watch and no timer.
//!
//! A paused clock pauses the watch with it.
//!
//! This bounds the wait behind a blocked poll by two [`PERIOD`]s and a search.
//!
//! Most polls that take long fill no slot. If none was used for some looks, the watch *dozes*: it
//! looks but once in a [`LONG_PERIOD`], and the first to fill an empty slot rouses it, which costs
//! all others one load. That the two miss each other is possible, and costs a long period.
//!
//! # Why somebody watches
//!
//! 1. If a worker sleeps while another is awake, somebody sits in the driver: whoever leaves the
//!    seat for work is a searcher, and the last searcher that finds work while nobody sits there
//!    wakes another sleeper.
//! 2. If the one in the seat lay down while all slept, it does not watch. A worker that finds
//!    work fences, and notes whether there is a watch; if not, it rings the bell when it first
//!    fills its slot. The sleeper takes back its word that there is a watch, fences, and counts
//!    the others: one of the two sees the other.

use std::task::Waker;
use std::time::{Duration, Instant};

use crate::driver::{Driver, DriverHandle, Timer};

use super::park::{Bell, Wait};

/// The time between two looks at the others.
const PERIOD: Duration = Duration::from_micros(400);
/// The same once nobody uses their slots.
const LONG_PERIOD: Duration = Duration::from_millis(20);
/// So many looks in a row must have found the slots unused.
const QUIET: u32 = 8;

/// What the worker that sits in the driver has.
#[derive(Debug)]
pub(super) struct Seat {
    driver: Driver,
    watch: Option<Watch>,
    /// Tasks that had been run from slots at the last look.
    hits: u64,
    /// Looks since these became more.
    quiet: u32,
}

#[derive(Debug)]
struct Watch {
    timer: Timer,
    until: Instant,
    dozes: bool,
}

/// What a look at the slots of all workers found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    /// Somebody has filled one while the watch dozed.
    pub(super) roused: bool,
    /// There is a task in one.
    pub(super) filled: bool,
    /// Tasks that were ever run from one.
    pub(super) hits: u64,
}

impl Wait for Seat {
    fn wait(&mut self) {
        self.driver.wait();
    }
}

impl Bell for DriverHandle {
    fn ring(&self) {
        self.unpark();
    }
}

impl Seat {
    pub(super) fn new(driver: Driver) -> Self {
        Self {
            driver,
            watch: None,
            hits: 0,
            quiet: 0,
        }
    }

    /// Fires what is due, without waiting.
    pub(super) fn turn(&mut self) {
        self.driver.turn();
    }

    /// Lets the time of a paused clock pass, if the other workers rest: see
    /// [`Driver::pass_time`]. There is nobody to watch then, and so the watch is no deadline.
    ///
    /// Who comes to rest between that question and the driver's has unparked us, so it is asked
    /// again.
    pub(super) fn pass_time(&mut self, others_rest: impl Fn() -> bool) -> bool {
        let unwatched = others_rest();
        if unwatched {
            self.watch = None;
        }
        self.driver.pass_time(|| unwatched && others_rest())
    }

    /// Makes the next wait end within a period. Returns true if a new period begins; else the
    /// last one still runs.
    pub(super) fn watch(&mut self, bell: &DriverHandle, slots: Slots) -> bool {
        let now = bell.now();
        let roused = slots.roused && self.dozes();
        if !roused && !self.is_period_over(now) {
            self.keep_timer(now);
            return false;
        }
        self.note_slots(slots);
        let dozes = self.quiet >= QUIET;
        let until = now + if dozes { LONG_PERIOD } else { PERIOD };
        match &mut self.watch {
            Some(watch) => {
                watch.timer.renew(now, Some(until), Waker::noop());
                (watch.until, watch.dozes) = (until, dozes);
            }
            None => {
                let timer = Timer::new(bell.clone(), Some(until), Waker::noop());
                self.watch = Some(Watch {
                    timer,
                    until,
                    dozes,
                });
            }
        }
        true
    }

    /// A timer may go off before its time, where that was put off: then it must be set again.
    fn keep_timer(&mut self, now: Instant) {
        if let Some(watch) = &mut self.watch {
            watch.timer.renew(now, Some(watch.until), Waker::noop());
        }
    }

    fn note_slots(&mut self, slots: Slots) {
        let used = slots.roused || slots.filled || slots.hits != self.hits;
        self.hits = slots.hits;
        self.quiet = if used {
            0
        } else {
            self.quiet.saturating_add(1)
        };
    }

    /// The watch was of use: it shall not doze for the next while.
    pub(super) fn stay_awake(&mut self) {
        self.quiet = 0;
    }

    /// Whether the watch looks but rarely.
    pub(super) fn dozes(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.dozes)
    }

    /// Whether the period that [`watch`](Self::watch) began has passed.
    pub(super) fn is_period_over(&self, now: Instant) -> bool {
        self.watch.as_ref().is_none_or(|watch| watch.until <= now)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{LONG_PERIOD, PERIOD, QUIET, Seat, Slots};
    use crate::driver::Driver;
    use std::cell::Cell;
    use std::time::Duration;

    const UNUSED: Slots = Slots {
        roused: false,
        filled: false,
        hits: 0,
    };

    #[test]
    fn watch_is_no_deadline_for_those_who_come_to_rest_meanwhile() {
        let (driver, bell) = Driver::new().unwrap();
        bell.pause();
        let mut seat = Seat::new(driver);
        assert!(seat.watch(&bell, UNUSED));
        let start = bell.now();
        let asked = Cell::new(false);
        assert!(!seat.pass_time(|| asked.replace(true)));
        assert_eq!(bell.now(), start);
        assert!(!seat.pass_time(|| true));
        assert_eq!(bell.now(), start);
    }

    #[test]
    fn watch_that_is_never_used_dozes_for_years() {
        let (driver, _bell) = Driver::new().unwrap();
        let mut seat = Seat::new(driver);
        seat.quiet = u32::MAX;
        seat.note_slots(UNUSED);
        assert!(seat.quiet >= QUIET);
    }

    #[test]
    fn watch_that_is_roused_shortly_before_its_look_looks_again() {
        let (driver, bell) = Driver::new().unwrap();
        bell.pause();
        let mut seat = Seat::new(driver);
        let pass = |seat: &mut Seat, time| {
            bell.advance(time);
            seat.turn();
        };
        while !seat.dozes() {
            assert!(seat.quiet < QUIET);
            assert!(seat.watch(&bell, UNUSED));
            pass(&mut seat, PERIOD);
        }
        let little = Duration::from_micros(50);
        pass(&mut seat, LONG_PERIOD - PERIOD - little);
        assert!(!seat.watch(&bell, UNUSED));
        let roused = Slots {
            roused: true,
            ..UNUSED
        };
        assert!(seat.watch(&bell, roused));
        assert!(!seat.dozes());
        // The timer that was there goes off, before the new period is over.
        pass(&mut seat, little);
        assert!(!seat.watch(&bell, UNUSED));
        assert_eq!(bell.timers(), 1);
        pass(&mut seat, PERIOD);
        assert!(seat.watch(&bell, UNUSED));
    }
}
