//! All interleavings of leaving and taking the driver slot, with workers that only sleep.
//!
//! If the slot stayed empty while the worker that left it blocks, the model would deadlock, which
//! loom reports.

use std::time::Instant;

use loom::sync::atomic::AtomicBool;
use loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use loom::sync::{Arc, Notify};
use loom::thread;

use super::Standby;
use crate::scheduler::idle::park::{DriverInterrupt, Parker, WaitPlace};

/// The first worker leaves the slot; the others sleep.
struct World {
    standby: Standby,
    /// Not a mutex: loom blocks a `try_lock` if another thread locks first.
    slot_taken: AtomicBool,
    driver_occupied: AtomicBool,
    parkers: Vec<Parker>,
    bell: Notify,
    /// A sleeper has taken the slot.
    taken_over: Notify,
    stopped: AtomicBool,
    /// The time, which does not pass.
    now: Instant,
    /// The first sleeper that takes the slot has to leave it for a poll that blocks.
    leaves_once: AtomicBool,
}

impl DriverInterrupt for World {
    fn interrupt_driver(&self) {
        self.bell.notify();
    }

    fn wake_standby(&self) {
        self.standby.wake();
    }
}

struct Driver<'a>(&'a World);

impl WaitPlace for Driver<'_> {
    fn wait(&mut self) {
        self.0.bell.wait();
    }
}

impl World {
    fn new(workers: usize, standby: Standby) -> Arc<Self> {
        Arc::new(Self {
            standby,
            slot_taken: AtomicBool::new(true),
            driver_occupied: AtomicBool::new(false),
            parkers: (0..workers).map(|_| Parker::new()).collect(),
            bell: Notify::new(),
            taken_over: Notify::new(),
            stopped: AtomicBool::new(false),
            now: Instant::now(),
            leaves_once: AtomicBool::new(false),
        })
    }

    fn try_take(&self) -> bool {
        // In loom, an exchange that finds the slot taken may undo a store of another thread.
        let taken = self
            .slot_taken
            .compare_exchange(false, true, AcqRel, Relaxed);
        let is_free = taken.is_ok();
        if is_free {
            self.standby.stop(self.now);
        }
        is_free
    }

    /// Leaves the slot for a poll that may block.
    fn leave(&self) {
        self.slot_taken.store(false, Release);
        if !(self.driver_occupied.load(Relaxed) || self.standby.start(self.now)) {
            // A claimed worker takes the slot when it goes to sleep again.
            self.unpark_all();
        }
    }

    fn unpark_all(&self) {
        for parker in &self.parkers[1..] {
            parker.unpark(self);
        }
    }

    fn sleep(&self, me: usize) {
        self.parkers[me].bind();
        while !self.stopped.load(Acquire) {
            if self.try_take() {
                self.driver_occupied.store(true, Relaxed);
                if self.leaves_once.swap(false, Relaxed) {
                    self.driver_occupied.store(false, Relaxed);
                    return self.leave();
                }
                self.taken_over.notify();
                self.parkers[me].park_driver(&mut Driver(self));
                self.driver_occupied.store(false, Relaxed);
                self.slot_taken.store(false, Release);
                continue;
            }
            match self.standby.enter(me) {
                Some(mut standby) => self.parkers[me].park_standby(&mut standby),
                None => self.parkers[me].park_thread(),
            }
        }
    }

    fn stop(&self) {
        self.stopped.store(true, Release);
        self.unpark_all();
    }
}

fn leave_twice(standby: fn() -> Standby) {
    loom::model(move || {
        let world = World::new(2, standby());
        let sleeper = Arc::clone(&world);
        let sleeper = thread::spawn(move || sleeper.sleep(1));
        world.leave();
        if world.try_take() {
            world.leave();
        }
        world.taken_over.wait();
        world.stop();
        sleeper.join().unwrap();
    });
}

/// Breaks when a stopped countdown is still recorded as running.
#[test]
fn slot_left_twice_is_taken_by_standby() {
    leave_twice(Standby::new);
}

/// Breaks when an outdated countdown that has run out is still recorded as running.
#[test]
fn slot_left_twice_after_brief_waits_is_taken() {
    leave_twice(Standby::after_brief_waits);
}

/// Breaks when a countdown that has run out is still recorded as running.
#[test]
fn slot_left_by_two_workers_is_taken() {
    loom::model(|| {
        let world = World::new(3, Standby::new());
        world.leaves_once.store(true, Relaxed);
        let sleepers = [1, 2].map(|me| {
            let sleeper = Arc::clone(&world);
            thread::spawn(move || sleeper.sleep(me))
        });
        world.leave();
        world.taken_over.wait();
        world.stop();
        sleepers.map(|sleeper| sleeper.join().unwrap());
    });
}
