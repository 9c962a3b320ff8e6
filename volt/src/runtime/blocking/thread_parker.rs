//! The parker of a thread that blocks on a future, or in a join.
//!
//! Each thread caches its parker in a thread-local, so blocking allocates once a thread, not once a
//! call. If a future blocks inside its `poll`, the inner block uses a new parker. Otherwise the
//! inner block could consume a wake-up of the outer one, or the outer one a wake-up of the inner
//! one.
//!
//! # Busy threads
//!
//! A paused clock advances only if no thread is busy. A thread that blocks can count as busy in
//! several runtimes: those that it blocks in or runs a job for, and that of its worker. While it
//! sleeps here, it counts in none of them.
//!
//! 1. The thread sets `PARKED`, and then decrements the busy counts.
//! 2. The first wake of a parked thread increments all of them again, and then unparks the thread.
//!    The thread that calls the waker is itself busy until then, so no clock advances in between.
//! 3. A wake of a thread that is not parked only sets `NOTIFIED`, because no count was decremented.
//!
//! The inspection waker sets `INSPECT`, and unparks the thread. It changes no count: the thread
//! counts as sleeping while it answers a dump.

use std::cell::RefCell;
use std::task::{Wake, Waker};

use crate::driver::{BusyCount, DriverHandle};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicU8, Ordering};
use crate::loom::thread::{self, Thread};
use crate::loom::thread_local_const;
use crate::runtime::context;
use crate::scheduler;

/// The thread sleeps, or is about to sleep.
const PARKED: u8 = 1;
/// The waker was called.
const NOTIFIED: u8 = 2;
/// The inspection waker was called.
const INSPECT: u8 = 4;

/// An event for the caller of [`ThreadParker::park_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParkEvent {
    /// The thread is about to sleep.
    Sleep,
    /// The inspection waker was called. The thread sleeps again.
    Inspect,
}

/// The parker of a thread, and the waker that ends its sleep.
#[derive(Debug)]
pub(super) struct ThreadParker {
    state: Arc<ParkerState>,
    waker: Waker,
}

#[derive(Debug)]
struct ParkerState {
    thread: Thread,
    flags: AtomicU8,
    /// The runtimes in which the thread counts as busy.
    busy_counts: Vec<BusyCount>,
}

impl Wake for ParkerState {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // ORDERING: AcqRel. Release pairs with the Acquire in `park` and publishes the writes
        // before the wake. Only the first wake of a sleep calls `unpark`.
        if self.flags.fetch_or(NOTIFIED, Ordering::AcqRel) & !INSPECT == PARKED {
            for count in &self.busy_counts {
                count.begin();
            }
            self.thread.unpark();
        }
    }
}

/// The waker by which a dump makes a parked thread answer its request.
struct InspectionWaker(Arc<ParkerState>);

impl Wake for InspectionWaker {
    fn wake(self: Arc<Self>) {
        // ORDERING: Release pairs with the Acquire in `park_with`, and publishes the request.
        self.0.flags.fetch_or(INSPECT, Ordering::Release);
        self.0.thread.unpark();
    }
}

thread_local_const! {
    static CACHED: RefCell<Option<(Arc<ParkerState>, Waker)>> = RefCell::new(None);
}

/// Calls `each` with the driver of each runtime in which this thread counts as busy.
fn for_each_busy_driver(mut each: impl FnMut(&DriverHandle)) {
    context::for_each_busy(&mut each);
    if let Some(current) = scheduler::SchedulerHandle::current() {
        each(current.driver());
    }
}

impl ParkerState {
    fn new() -> Self {
        let mut busy_counts = Vec::new();
        for_each_busy_driver(|driver| busy_counts.push(driver.busy_count().clone()));
        Self {
            thread: thread::current(),
            flags: AtomicU8::new(0),
            busy_counts,
        }
    }

    /// Returns `true` if this thread counts as busy in the same runtimes as at the creation.
    fn is_up_to_date(&self) -> bool {
        let mut counts = self.busy_counts.iter();
        let mut is_same = true;
        for_each_busy_driver(|driver| {
            let count = counts.next();
            is_same &= count.is_some_and(|count| count.is_same(driver.busy_count()));
        });
        is_same && counts.next().is_none()
    }
}

impl ThreadParker {
    /// Takes the cached parker of this thread, or creates one.
    pub(super) fn of_this_thread() -> Self {
        // The thread-local of a thread that ends is gone.
        let cached = CACHED.try_with(RefCell::take).ok().flatten();
        let (state, waker) = match cached.filter(|(state, _)| state.is_up_to_date()) {
            Some(cached) => cached,
            None => {
                let state = Arc::new(ParkerState::new());
                (Arc::clone(&state), Waker::from(state))
            }
        };
        // A late wake-up of the last sleep must not end the next one.
        state.flags.store(0, Ordering::Relaxed);
        Self { state, waker }
    }

    /// Returns the waker that ends the current or the next sleep.
    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Returns a waker that wakes the thread for [`ParkEvent::Inspect`] only.
    pub(super) fn inspection_waker(&self) -> Waker {
        let waker = InspectionWaker(Arc::clone(&self.state));
        Waker::from(Arc::new(waker))
    }

    /// Sleeps until the waker is called. Returns at once if the waker was called since the last
    /// return.
    pub(super) fn park(&self) {
        self.park_with(|_| ());
    }

    /// Does the same as [`park`](Self::park), and passes the events meanwhile.
    pub(super) fn park_with(&self, mut event: impl FnMut(ParkEvent)) {
        let flags = &self.state.flags;
        debug_assert!(
            self.state.is_up_to_date(),
            "the thread is in other runtimes"
        );
        // ORDERING: Acquire pairs with the Release half in `wake_by_ref`.
        if flags.fetch_or(PARKED, Ordering::Acquire) & NOTIFIED == 0 {
            event(ParkEvent::Sleep);
            for_each_busy_driver(DriverHandle::end_busy);
            loop {
                let seen = flags.load(Ordering::Acquire);
                if seen & NOTIFIED != 0 {
                    break;
                }
                if seen & INSPECT != 0 {
                    flags.fetch_and(!INSPECT, Ordering::Acquire);
                    event(ParkEvent::Inspect);
                } else {
                    thread::park();
                }
            }
        }
        // ORDERING: Acquire, because another wake may have followed the first.
        flags.swap(0, Ordering::Acquire);
    }
}

impl Drop for ThreadParker {
    fn drop(&mut self) {
        let cached = (Arc::clone(&self.state), self.waker.clone());
        // The thread-local of a thread that ends is gone.
        let _ = CACHED.try_with(|cell| cell.replace(Some(cached)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Driver;

    #[test]
    fn wake_before_park_returns_at_once() {
        let parker = ThreadParker::of_this_thread();
        parker.waker().wake_by_ref();
        parker.park();
    }

    #[test]
    fn nested_parker_has_its_own_waker() {
        let outer = ThreadParker::of_this_thread();
        let inner = ThreadParker::of_this_thread();
        assert!(!outer.waker().will_wake(inner.waker()));
    }

    #[test]
    fn parker_is_reused_by_the_next_block() {
        let waker = ThreadParker::of_this_thread().waker().clone();
        assert!(ThreadParker::of_this_thread().waker().will_wake(&waker));
    }

    #[test]
    fn wake_from_another_thread_ends_the_sleep() {
        let parker = ThreadParker::of_this_thread();
        let waker = parker.waker().clone();
        let thread = thread::spawn(move || waker.wake());
        parker.park();
        thread.join().unwrap();
    }

    #[test]
    fn thread_is_busy_unless_it_sleeps() {
        let (_driver, handle) = Driver::new().expect("the system grants three descriptors");
        let work = handle.busy_guard();
        let _entered = context::enter_driver_busy(handle.clone());
        let is_quiet = || handle.busy_count().was_idle_during(|| true);
        let parker = ThreadParker::of_this_thread();
        parker.waker().wake_by_ref();
        parker.waker().wake_by_ref();
        parker.park();
        assert!(!is_quiet(), "the thread has not slept");
        let (waker, activity) = (parker.waker().clone(), handle.busy_count().clone());
        let thread = thread::spawn(move || {
            while !activity.was_idle_during(|| true) {
                thread::yield_now();
            }
            waker.wake_by_ref();
            waker.wake_by_ref();
            assert!(!activity.was_idle_during(|| true), "the thread was woken");
        });
        parker.park();
        thread.join().unwrap();
        parker.waker().wake_by_ref();
        assert!(!is_quiet());
        drop(work);
        assert!(is_quiet(), "the thread was counted twice");
    }
}
