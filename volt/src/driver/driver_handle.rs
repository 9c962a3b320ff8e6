//! The handle of a driver, and the state that it shares with the driver.
//!
//! Any thread uses a handle to register timers and descriptors, to read and control the clock, and
//! to interrupt the thread that waits in the driver.

use std::io;
use std::process;
use std::task::Waker;
use std::time::{Duration, Instant};

use super::busy_count::BusyCount;
use super::quiescence_waiters::QuiescenceWaiters;
use super::readiness::{Interrupt, IoRegistry, IoSource, SocketWaiter};
use super::slab::Key;
use super::timing::{Clock, Inserted, Tick, Timers};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};

/// A guard that counts a thread as busy until it is dropped.
#[derive(Debug)]
pub(crate) struct BusyGuard(DriverHandle);

/// A handle by which any thread reaches a [`Driver`](super::Driver).
#[derive(Clone, Debug)]
pub(crate) struct DriverHandle {
    pub(super) shared: Arc<DriverShared>,
}

#[derive(Debug)]
pub(super) struct DriverShared {
    pub(super) clock: Clock,
    pub(super) busy_count: BusyCount,
    pub(super) waiters: QuiescenceWaiters,
    pub(super) timers: Timers,
    pub(super) registry: IoRegistry,
    pub(super) interrupt: Interrupt,
    pub(super) unparked: AtomicBool,
    pub(super) closed: AtomicBool,
    /// The id of the process that created the driver.
    pub(super) process: u32,
}

impl DriverShared {
    /// Clears the flag; returns `true` if it was set.
    pub(super) fn clear_unparked(&self) -> bool {
        // ORDERING: AcqRel: acquires the releases of all unparks that found the flag set.
        self.unparked.swap(false, Ordering::AcqRel)
    }
}

impl Drop for BusyGuard {
    fn drop(&mut self) {
        self.0.end_busy();
    }
}

impl DriverHandle {
    /// Ends the wait in the driver, or the next one if no thread waits.
    pub(crate) fn unpark(&self) {
        // ORDERING: AcqRel: releases the caller's earlier writes to the swap in `clear_unparked`.
        // An unpark that finds the flag set continues the release sequence.
        if self.shared.unparked.swap(true, Ordering::AcqRel) {
            return;
        }
        self.shared.interrupt.interrupt();
    }

    /// Returns `true` if the driver was dropped.
    pub(crate) fn is_closed(&self) -> bool {
        // ORDERING: Acquire, pairs with the Release in `Driver::drop`.
        self.shared.closed.load(Ordering::Acquire)
    }

    /// Returns `true` if this process is a fork of the one that created the driver: it has none of
    /// the threads.
    pub(crate) fn is_inherited(&self) -> bool {
        process::id() != self.shared.process
    }

    /// Returns an address that no other driver has while this handle exists.
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

    /// Returns the wakers that wait for sockets.
    pub(crate) fn socket_waiters(&self) -> Vec<SocketWaiter> {
        self.shared.registry.socket_waiters()
    }

    /// Adds the addresses of the peers.
    pub(crate) fn add_peers(&self, waiters: &mut [SocketWaiter]) {
        self.shared.registry.add_peers(waiters);
    }

    /// Returns `true` if no descriptor is registered.
    pub(crate) fn watches_nothing(&self) -> bool {
        self.shared.registry.is_empty()
    }

    /// Returns the number of timers in the wheel.
    pub(crate) fn timers(&self) -> usize {
        self.shared.timers.len()
    }

    /// Returns the times until timers that are at least `far` away, with the data of their wakers.
    /// At most `max` are returned.
    pub(crate) fn far_timers(&self, far: Duration, max: usize) -> Vec<(Duration, usize)> {
        let now = self.now();
        let Some(limit) = now.checked_add(far) else {
            return Vec::new();
        };
        let clock = &self.shared.clock;
        let begin = clock.tick_of(now);
        let timers = self.shared.timers.far(clock.tick_of(limit), max);
        let left = |(deadline, waker): (Tick, usize)| {
            (Duration::from_nanos(deadline.saturating_sub(begin)), waker)
        };
        timers.into_iter().map(left).collect()
    }

    /// Returns the times since the deadlines of timers that are due, with the data of their wakers.
    /// At most `max` are returned.
    pub(crate) fn overdue_timers(&self, max: usize) -> Vec<(Duration, usize)> {
        let now = self.shared.clock.tick_of(self.now());
        let timers = self.shared.timers.due(now, max);
        let late = |(deadline, waker): (Tick, usize)| {
            (Duration::from_nanos(now.saturating_sub(deadline)), waker)
        };
        timers.into_iter().map(late).collect()
    }

    /// Returns the count of busy threads that are not workers.
    pub(crate) fn busy_count(&self) -> &BusyCount {
        &self.shared.busy_count
    }

    /// Counts a thread as busy until the guard is dropped.
    pub(crate) fn busy_guard(&self) -> BusyGuard {
        self.busy_count().begin();
        BusyGuard(self.clone())
    }

    /// Ends a [`BusyCount::begin`].
    pub(crate) fn end_busy(&self) {
        self.shared.busy_count.end();
        if self.is_paused() {
            self.unpark();
        }
    }

    pub(super) fn quiescence_waiters(&self) -> &QuiescenceWaiters {
        &self.shared.waiters
    }

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
