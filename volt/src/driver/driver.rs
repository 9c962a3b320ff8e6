//! The driver, in which one thread at a time waits.
//!
//! # Protocol of waiting
//!
//! 1. The thread announces the next deadline (see [`timing`](super::timing)), sets the wait timer
//!    for it and waits. Without timers there is no timeout.
//! 2. [`DriverHandle::unpark`] sets `unparked`. If the flag was not set, it makes the system end
//!    the wait, or the next one if no thread waits.
//! 3. After a wait that an unpark ended, the thread clears the flag. An unpark that finds the flag
//!    set does nothing: the thread is about to return from its wait, and sees the earlier writes of
//!    the caller.
//! 4. The thread calls the wakers of all reports and of all timers that are due.
//!
//! # Protocol of a paused clock
//!
//! 1. Before a wait, the thread checks whether all other threads are idle: the workers by their
//!    idle set, the others by the [`BusyCount`]. If so, it advances
//!    the clock to the next deadline and checks again, until it has woken a thread or no deadline
//!    is left. Each check holds the lock of the state that it will change. So a thread that becomes
//!    busy then reads the clock after the jump, and a wait for quiescence that begins then is not
//!    over.
//! 2. A thread that becomes idle, and may be the last, unparks the waiting thread, which checks
//!    again.

use std::io;
use std::process;
use std::time::Duration;

use super::busy_count::BusyCount;
use super::driver_handle::{DriverHandle, DriverShared};
use super::quiescence_waiters::QuiescenceWaiters;
use super::readiness::{CloseReason, Interrupt, Reactor, Signals, WAIT_TIMER};
use super::timing::{Clock, FiringRate, Timers, WaitTimer};
use super::wake_batch::WakeBatch;
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};

/// The duration of a wait after the system's poll has failed.
const BROKEN_WAIT: Duration = Duration::from_millis(1);

/// The driver: one thread at a time waits in it for timers, descriptors and unparks.
///
/// When it is dropped, operations on descriptors fail, and timers panic at their next poll.
#[derive(Debug)]
pub(crate) struct Driver {
    reactor: Reactor,
    wait_timer: WaitTimer,
    firing_rate: FiringRate,
    batch: WakeBatch,
    /// The system's poll has failed; only timers and unparks still work.
    broken: bool,
    #[cfg(test)]
    polls: u64,
    /// The error of the next poll.
    #[cfg(test)]
    failure: Option<io::Error>,
    shared: Arc<DriverShared>,
}

impl Driver {
    /// Creates a driver, and the handle that all others are clones of.
    ///
    /// # Errors
    ///
    /// Returns an error if the system grants no more descriptors; the driver needs three.
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
            firing_rate: FiringRate::default(),
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

    /// Waits until a descriptor is ready, a timer is due, or a thread calls
    /// [`unpark`](DriverHandle::unpark); then calls the wakers.
    ///
    /// It may return without a cause. If the system's poll fails, the operations of all descriptors
    /// fail from then on. Timers and unparks are served once a millisecond then.
    pub(crate) fn wait(&mut self) {
        let next = self.shared.timers.begin_wait();
        let left = next.and_then(|tick| {
            let dense = self.firing_rate.is_dense(tick);
            self.shared.clock.time_until(tick, dense)
        });
        let timeout = self.wait_timer.set(next, left);
        self.poll(timeout);
        self.wake_due();
    }

    /// Does the same as [`wait`](Self::wait), without waiting.
    pub(crate) fn turn(&mut self) {
        if !self.shared.registry.is_empty() {
            self.poll(Some(Duration::ZERO));
        }
        self.wake_due();
    }

    /// Advances a paused clock while all other threads are idle. `others_are_idle` returns `true`
    /// if the threads that the [`BusyCount`] does not include are idle.
    ///
    /// Calls the wakers of the timers that are due. If there are none, calls the wakers that wait
    /// for quiescence. If there are none either, advances the clock to the next deadline. Returns
    /// `false` if nothing of this was possible, or if a thread is busy.
    #[cold]
    pub(crate) fn auto_advance(&mut self, others_are_idle: impl Fn() -> bool) -> bool {
        let before = self.batch.called();
        let unparked = !self.shared.registry.is_empty() && self.poll(Some(Duration::ZERO));
        self.wake_due();
        if unparked || self.batch.called() > before {
            return true;
        }
        let shared = &self.shared;
        let is_quiescent = || shared.busy_count.was_idle_during(&others_are_idle);
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

    /// Polls the system. Returns `true` if a thread has called [`unpark`](DriverHandle::unpark).
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

    /// Calls the wakers of all timers that are due now, and those of the batch.
    fn wake_due(&mut self) {
        let now = self.shared.clock.tick();
        let before = self.batch.added();
        loop {
            let more = self.shared.timers.take_due(now, &mut self.batch);
            self.batch.wake_all();
            if !more {
                break;
            }
        }
        let fired = self.batch.added() - before;
        if fired > 0 {
            self.firing_rate.record(now, fired);
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
        // ORDERING: Release, pairs with the Acquire in `DriverHandle::is_closed`.
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

#[cfg(all(test, not(loom)))]
#[path = "driver_tests.rs"]
mod tests;
