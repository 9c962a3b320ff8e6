//! The driver, and the handle by which everyone else reaches it.
//!
//! # Protocol of waiting
//!
//! 1. The waiter notes the next deadline (see [`timers`](super::timing)), sets the alarm for it
//!    and waits; with no timer there is no timeout.
//! 2. [`DriverHandle::unpark`] sets `unparked` and, if it was not set, makes the system end the
//!    wait: this one, or the next if nobody waits.
//! 3. Back from a wait that an unpark ended, the waiter clears the flag. An unpark that finds it
//!    still set adds nothing: the waiter is on its way back, and sees what was done before.
//! 4. The waiter calls the wakers of every report and of every timer that is due.
//!
//! # Protocol of a paused clock
//!
//! 1. Before a wait, the waiter asks whether everybody else is at rest: the workers by their idle
//!    set, all others by the [`Activity`]. If so, it lets time pass up to the next deadline and
//!    asks again, until somebody is woken or no deadline is left. It asks while it has the lock
//!    of what it is about to change: so who begins to work then reads the clock after the jump,
//!    and a wait for rest that begins then is not over.
//! 2. Who goes to rest and may be the last unparks the waiter, so that it asks once more.

use std::io;
use std::process;
use std::task::Waker;
use std::time::{Duration, Instant};

use super::busy_count::Activity;
use super::quiescence_waiters::QuiescenceWaiters;
use super::readiness::Interrupt;
use super::readiness::{ALARM, Reactor, Registry, Signals};
use super::readiness::{End, Source};
use super::slab::Key;
use super::timing::Alarm;
use super::timing::{Clock, Tick};
use super::timing::{Inserted, Timers};
use super::wake_batch::WakeBatch;
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};

/// How long a wait lasts when the system's poll no longer works.
const BROKEN_WAIT: Duration = Duration::from_millis(1);

/// Where one thread at a time waits for timers, descriptors and calls.
///
/// Dropping it ends everything that waits for it: operations on descriptors fail, and timers
/// panic when they are polled again.
#[derive(Debug)]
pub(crate) struct Driver {
    reactor: Reactor,
    alarm: Alarm,
    batch: WakeBatch,
    /// The system's poll has failed for good; only timers and calls still work.
    broken: bool,
    #[cfg(test)]
    polls: u64,
    /// What the next poll fails with.
    #[cfg(test)]
    failure: Option<io::Error>,
    shared: Arc<Shared>,
}

/// Somebody is at work until this is dropped.
#[derive(Debug)]
pub(crate) struct Work(DriverHandle);

/// Reaches a [`Driver`] from any thread.
#[derive(Clone, Debug)]
pub(crate) struct DriverHandle {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) clock: Clock,
    activity: Activity,
    waiters: QuiescenceWaiters,
    timers: Timers,
    registry: Registry,
    interrupt: Interrupt,
    unparked: AtomicBool,
    closed: AtomicBool,
    /// The process that made it.
    process: u32,
}

impl Driver {
    /// A driver of its own, with the handle that all others are clones of.
    ///
    /// # Errors
    ///
    /// Fails when the system grants no more descriptors; the driver takes three.
    pub(crate) fn new() -> io::Result<(Self, DriverHandle)> {
        let (reactor, registry) = Reactor::new()?;
        let interrupt = Interrupt::new(&registry)?;
        let alarm = Alarm::new(registry.system(), ALARM)?;
        let clock = Clock::new();
        let shared = Arc::new(Shared {
            timers: Timers::new(clock.tick()),
            clock,
            activity: Activity::new(),
            waiters: QuiescenceWaiters::new(),
            registry,
            interrupt,
            unparked: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            process: process::id(),
        });
        let handle = DriverHandle {
            shared: Arc::clone(&shared),
        };
        let driver = Self {
            reactor,
            alarm,
            batch: WakeBatch::new(),
            broken: false,
            #[cfg(test)]
            polls: 0,
            #[cfg(test)]
            failure: None,
            shared,
        };
        Ok((driver, handle))
    }

    /// Waits until a descriptor is ready, a timer is due or someone calls
    /// [`unpark`](DriverHandle::unpark), and calls the wakers of all that has come.
    ///
    /// It may return without cause. When the system's poll fails, every descriptor's operations
    /// fail from then on, while timers and calls are served once in a millisecond.
    pub(crate) fn wait(&mut self) {
        let next = self.shared.timers.begin_wait();
        let left = next.and_then(|tick| self.shared.clock.time_until(tick));
        let timeout = self.alarm.set(next, left);
        self.poll(timeout);
        self.fire();
    }

    /// Does what [`wait`](Self::wait) does, without waiting.
    pub(crate) fn turn(&mut self) {
        if !self.shared.registry.is_empty() {
            self.poll(Some(Duration::ZERO));
        }
        self.fire();
    }

    /// Lets the time of a paused clock pass while everybody is at rest, of whom `others_rest`
    /// knows those that the [`Activity`] does not count.
    ///
    /// Calls the wakers of what is due by now; else of those who wait for rest; else goes on to
    /// the next deadline. Returns false if there was nothing of the kind, or somebody is at work.
    #[cold]
    pub(crate) fn pass_time(&mut self, others_rest: impl Fn() -> bool) -> bool {
        let before = self.batch.called();
        let unparked = !self.shared.registry.is_empty() && self.poll(Some(Duration::ZERO));
        self.fire();
        if unparked || self.batch.called() > before {
            return true;
        }
        let shared = &self.shared;
        let is_quiet = || shared.activity.is_quiet_while(&others_rest);
        shared.waiters.take_all_if(is_quiet, &mut self.batch);
        self.batch.wake_all();
        if self.batch.called() > before {
            return true;
        }
        let next = || is_quiet().then(|| shared.timers.next_deadline()).flatten();
        let skips = shared.clock.jump(next);
        if skips {
            self.fire();
        }
        skips
    }

    /// Returns whether somebody has called [`unpark`](DriverHandle::unpark).
    fn poll(&mut self, timeout: Option<Duration>) -> bool {
        #[cfg(test)]
        {
            self.polls += 1;
        }
        if self.broken {
            return self.wait_broken(timeout);
        }
        let waited = self.shared.interrupt.wait(&mut self.reactor, timeout);
        #[cfg(test)]
        let waited = self.failure.take().map_or(waited, Err);
        match waited {
            Ok(()) => self.dispatch(),
            Err(_) => {
                self.give_up();
                false
            }
        }
    }

    fn dispatch(&mut self) -> bool {
        let shared = &self.shared;
        let Signals { unparked, alarm } = self.reactor.dispatch(&shared.registry, &mut self.batch);
        if alarm {
            self.alarm.rang();
        }
        let unparked = unparked || shared.interrupt.was_called();
        if unparked {
            shared.clear_unparked();
        }
        unparked
    }

    /// Calls the wakers of all timers that are due now.
    fn fire(&mut self) {
        let now = self.shared.clock.tick();
        loop {
            let more = self.shared.timers.take_due(now, &mut self.batch);
            self.batch.wake_all();
            if !more {
                return;
            }
        }
    }

    #[cold]
    fn give_up(&mut self) {
        self.broken = true;
        self.shared.registry.close(End::Failed, &mut self.batch);
        self.batch.wake_all();
    }

    #[cold]
    fn wait_broken(&mut self, timeout: Option<Duration>) -> bool {
        let unparked = self.shared.clear_unparked();
        if !unparked {
            std::thread::sleep(timeout.unwrap_or(BROKEN_WAIT).min(BROKEN_WAIT));
        }
        unparked
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let shared = &self.shared;
        // ORDERING: Release, pairs with the Acquire in `Shared::is_closed`.
        shared.closed.store(true, Ordering::Release);
        shared.registry.close(End::Gone, &mut self.batch);
        self.batch.wake_all();
        shared.timers.take_all(&mut self.batch);
        self.batch.wake_all();
        shared.waiters.take_all(&mut self.batch);
        self.batch.wake_all();
    }
}

impl Shared {
    /// Returns whether the flag was set.
    fn clear_unparked(&self) -> bool {
        // ORDERING: AcqRel: acquires what every unpark released that found the flag set.
        self.unparked.swap(false, Ordering::AcqRel)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.end_work();
    }
}

impl DriverHandle {
    /// Ends the wait in the driver, or the next one if nobody waits.
    pub(crate) fn unpark(&self) {
        // ORDERING: AcqRel: releases what the caller did before, to the swap in
        // `clear_unparked`; a flag found set keeps the chain of those who set it.
        if self.shared.unparked.swap(true, Ordering::AcqRel) {
            return;
        }
        self.shared.interrupt.call();
    }

    /// Whether the driver was dropped.
    pub(crate) fn is_closed(&self) -> bool {
        // ORDERING: Acquire, pairs with the Release in `Driver::drop`.
        self.shared.closed.load(Ordering::Acquire)
    }

    /// Whether this process is a fork of the one that made the driver: it has none of the threads.
    pub(crate) fn is_inherited(&self) -> bool {
        process::id() != self.shared.process
    }

    /// An address that no other driver has while this handle is there.
    #[cfg(all(feature = "signal", unix, not(any(loom, all(test, shuttle)))))]
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    pub(super) fn tick_of(&self, deadline: Instant) -> Tick {
        self.shared.clock.tick_of(deadline)
    }

    pub(super) fn insert_timer(&self, deadline: Tick, waker: Waker) -> Key {
        self.inserted(self.shared.timers.insert(deadline, waker))
    }

    pub(super) fn replace_timer(&self, key: Key, deadline: Tick, waker: Waker) -> Key {
        let (inserted, old) = self.shared.timers.replace(key, deadline, waker);
        drop(old);
        self.inserted(inserted)
    }

    pub(super) fn postpone_timer(&self, key: Key, deadline: Tick) -> Option<Key> {
        let inserted = self.shared.timers.postpone(key, deadline)?;
        Some(self.inserted(inserted))
    }

    pub(super) fn remove_timer(&self, key: Key) {
        let waker = self.shared.timers.remove(key);
        drop(waker);
    }

    fn inserted(&self, inserted: Inserted) -> Key {
        if inserted.interrupts {
            self.unpark();
        }
        inserted.key
    }

    pub(super) fn register(
        &self,
        descriptor: &mut impl mio::event::Source,
    ) -> io::Result<(Key, Arc<Source>)> {
        self.shared.registry.register(descriptor)
    }

    pub(super) fn deregister(&self, key: Key, descriptor: &mut impl mio::event::Source) {
        self.shared.registry.deregister(key, descriptor);
    }

    /// Whether no descriptor is watched.
    #[cfg(test)]
    pub(crate) fn watches_nothing(&self) -> bool {
        self.shared.registry.is_empty()
    }

    /// How many timers someone waits for.
    #[cfg(test)]
    pub(crate) fn timers(&self) -> usize {
        self.shared.timers.len()
    }

    /// Those at work who are no workers.
    pub(crate) fn activity(&self) -> &Activity {
        &self.shared.activity
    }

    /// Counts one more at work.
    pub(crate) fn work(&self) -> Work {
        self.activity().begin();
        Work(self.clone())
    }

    /// Ends what [`Activity::begin`] began.
    pub(crate) fn end_work(&self) {
        self.shared.activity.end();
        if self.is_paused() {
            self.unpark();
        }
    }

    pub(super) fn quiescence_waiters(&self) -> &QuiescenceWaiters {
        &self.shared.waiters
    }
}

#[cfg(all(test, not(loom)))]
#[path = "driver_tests.rs"]
mod tests;
