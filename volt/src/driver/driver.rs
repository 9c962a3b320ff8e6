//! The driver, and the handle by which everyone else reaches it.
//!
//! # Protocol of waiting
//!
//! 1. The waiter notes the next deadline (see [`timers`](super::timing)), sets the wait_timer for
//!    it and waits; with no timer there is no timeout.
//! 2. [`DriverHandle::unpark`] sets `unparked` and, if it was not set, makes the system end the
//!    wait: this one, or the next if nobody waits.
//! 3. Back from a wait that an unpark ended, the waiter clears the flag. An unpark that finds it
//!    still set adds nothing: the waiter is on its way back, and sees what was done before.
//! 4. The waiter calls the wakers of every report and of every timer that is due.
//!
//! # Protocol of a paused clock
//!
//! 1. Before a wait, the waiter asks whether everybody else is at rest: the workers by their idle
//!    set, all others by the [`BusyCount`]. If so, it lets time pass up to the next deadline and
//!    asks again, until somebody is woken or no deadline is left. It asks while it has the lock of
//!    what it is about to change: so who begins to work then reads the clock after the advance_to,
//!    and a wait for rest that begins then is not over.
//! 2. Who goes to rest and may be the last unparks the waiter, so that it asks once more.

use std::io;
use std::process;
use std::task::Waker;
use std::time::{Duration, Instant};

use super::busy_count::BusyCount;
use super::quiescence_waiters::QuiescenceWaiters;
use super::readiness::Interrupt;
use super::readiness::{CloseReason, IoSource};
use super::readiness::{IoRegistry, Reactor, Signals, WAIT_TIMER};
use super::slab::Key;
use super::timing::WaitTimer;
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
    wait_timer: WaitTimer,
    batch: WakeBatch,
    /// The system's poll has failed for good; only timers and calls still work.
    broken: bool,
    #[cfg(test)]
    polls: u64,
    /// What the next poll fails with.
    #[cfg(test)]
    failure: Option<io::Error>,
    shared: Arc<DriverShared>,
}

/// Somebody is at work until this is dropped.
#[derive(Debug)]
pub(crate) struct BusyGuard(DriverHandle);

/// Reaches a [`Driver`] from any thread.
#[derive(Clone, Debug)]
pub(crate) struct DriverHandle {
    pub(super) shared: Arc<DriverShared>,
}

#[derive(Debug)]
pub(super) struct DriverShared {
    pub(super) clock: Clock,
    busy_count: BusyCount,
    waiters: QuiescenceWaiters,
    timers: Timers,
    registry: IoRegistry,
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
        let wait_timer = WaitTimer::new(registry.system(), WAIT_TIMER)?;
        let clock = Clock::new();
        let shared = Arc::new(DriverShared {
            timers: Timers::new(clock.tick()),
            clock,
            busy_count: BusyCount::new(),
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
            wait_timer,
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
        let timeout = self.wait_timer.set(next, left);
        self.poll(timeout);
        self.wake_due();
    }

    /// Does what [`wait`](Self::wait) does, without waiting.
    pub(crate) fn turn(&mut self) {
        if !self.shared.registry.is_empty() {
            self.poll(Some(Duration::ZERO));
        }
        self.wake_due();
    }

    /// Lets the time of a paused clock pass while everybody is at rest, of whom `others_rest`
    /// knows those that the [`BusyCount`] does not count.
    ///
    /// Calls the wakers of what is due by now; else of those who wait for rest; else goes on to
    /// the next deadline. Returns false if there was nothing of the kind, or somebody is at work.
    #[cold]
    pub(crate) fn auto_advance(&mut self, others_rest: impl Fn() -> bool) -> bool {
        let before = self.batch.called();
        let unparked = !self.shared.registry.is_empty() && self.poll(Some(Duration::ZERO));
        self.wake_due();
        if unparked || self.batch.called() > before {
            return true;
        }
        let shared = &self.shared;
        let is_quiescent = || shared.busy_count.was_idle_during(&others_rest);
        shared.waiters.take_all_if(is_quiescent, &mut self.batch);
        self.batch.wake_all();
        if self.batch.called() > before {
            return true;
        }
        let next = || {
            is_quiescent()
                .then(|| shared.timers.next_deadline())
                .flatten()
        };
        let skips = shared.clock.advance_to(next);
        if skips {
            self.wake_due();
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
                self.close_after_failure();
                false
            }
        }
    }

    fn dispatch(&mut self) -> bool {
        let shared = &self.shared;
        let Signals {
            unparked,
            timer_fired,
        } = self.reactor.dispatch(&shared.registry, &mut self.batch);
        if timer_fired {
            self.wait_timer.mark_fired();
        }
        let unparked = unparked || shared.interrupt.was_interrupted();
        if unparked {
            shared.clear_unparked();
        }
        unparked
    }

    /// Calls the wakers of all timers that are due now.
    fn wake_due(&mut self) {
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
    fn close_after_failure(&mut self) {
        self.broken = true;
        self.shared
            .registry
            .close(CloseReason::PollFailed, &mut self.batch);
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
        // ORDERING: Release, pairs with the Acquire in `DriverShared::is_closed`.
        shared.closed.store(true, Ordering::Release);
        shared
            .registry
            .close(CloseReason::DriverDropped, &mut self.batch);
        self.batch.wake_all();
        shared.timers.take_all(&mut self.batch);
        self.batch.wake_all();
        shared.waiters.take_all(&mut self.batch);
        self.batch.wake_all();
    }
}

impl DriverShared {
    /// Returns whether the flag was set.
    fn clear_unparked(&self) -> bool {
        // ORDERING: AcqRel: acquires what every unpark released that found the flag set.
        self.unparked.swap(false, Ordering::AcqRel)
    }
}

impl Drop for BusyGuard {
    fn drop(&mut self) {
        self.0.end_busy();
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
        self.shared.interrupt.interrupt();
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
    ) -> io::Result<(Key, Arc<IoSource>)> {
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
    pub(crate) fn busy_count(&self) -> &BusyCount {
        &self.shared.busy_count
    }

    /// Counts one more at work.
    pub(crate) fn busy_guard(&self) -> BusyGuard {
        self.busy_count().begin();
        BusyGuard(self.clone())
    }

    /// Ends what [`BusyCount::begin`] began.
    pub(crate) fn end_busy(&self) {
        self.shared.busy_count.end();
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
