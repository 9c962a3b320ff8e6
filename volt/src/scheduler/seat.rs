//! The seat in the driver, and the watch that whoever sits there keeps.
//!
//! A task in a worker's LIFO slot wakes nobody, as its worker will come to it within one poll.
//! That poll may block. So as long as other workers are awake, the sleeper in the driver sets
//! itself a timer, notes in which poll each of them is, and looks again when it goes off: a worker
//! that is still in the same poll and has a task in its slot is *stalled*, and the sleeper gets up
//! to take it. Once all others sleep there is nothing to watch and no timer.
//!
//! A paused clock pauses the watch with it.
//!
//! This bounds the wait behind a blocked poll by two [`PERIOD`]s and a search, without any cost
//! to those who fill slots.
//!
//! # Why somebody watches
//!
//! 1. If a worker sleeps while another is awake, somebody sits in the driver: whoever leaves the
//!    seat for work is a searcher, and the last searcher that finds work wakes another sleeper,
//!    which finds the seat empty.
//! 2. If the one in the seat lay down while all slept, it does not watch. A worker that finds
//!    work fences, and if there is no watch, rings the bell. The sleeper takes back its word that
//!    there is a watch, fences, and counts the others: one of the two sees the other.

use std::task::Waker;
use std::time::{Duration, Instant};

use crate::driver::{Driver, DriverHandle, Timer};

use super::park::{Bell, Wait};

/// The time between two looks at the others.
const PERIOD: Duration = Duration::from_micros(400);

/// What the worker that sits in the driver has.
#[derive(Debug)]
pub(super) struct Seat {
    driver: Driver,
    watch: Option<Watch>,
}

#[derive(Debug)]
struct Watch {
    timer: Timer,
    until: Instant,
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
        }
    }

    /// Fires what is due, without waiting.
    pub(super) fn turn(&mut self) {
        self.driver.turn();
    }

    /// Lets the time of a paused clock pass, if the other workers rest: see
    /// [`Driver::pass_time`]. There is nobody to watch then, and so the watch is no deadline.
    pub(super) fn pass_time(&mut self, others_rest: impl Fn() -> bool) -> bool {
        if others_rest() {
            self.watch = None;
        }
        self.driver.pass_time(others_rest)
    }

    /// Makes the next wait end within a period. Returns true if a new period begins; else the
    /// last one still runs.
    pub(super) fn watch(&mut self, bell: &DriverHandle) -> bool {
        let now = bell.now();
        if !self.is_period_over(now) {
            return false;
        }
        let until = now + PERIOD;
        match &mut self.watch {
            Some(watch) => {
                watch.timer.renew(now, Some(until), Waker::noop());
                watch.until = until;
            }
            None => {
                let timer = Timer::new(bell.clone(), Some(until), Waker::noop());
                self.watch = Some(Watch { timer, until });
            }
        }
        true
    }

    /// Whether the period that [`watch`](Self::watch) began has passed.
    pub(super) fn is_period_over(&self, now: Instant) -> bool {
        self.watch.as_ref().is_none_or(|watch| watch.until <= now)
    }
}
