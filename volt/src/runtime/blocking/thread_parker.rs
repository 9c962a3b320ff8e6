//! The parker of a thread that blocks on a future, or in a join.
//!
//! A [`Waker`] that unparks one thread. Each thread keeps its own in a thread-local, so that
//! blocking allocates once a thread, not once a call. A block nested in another one on the same
//! thread (a future that blocks inside its `poll`) takes a fresh parker, because a wake-up of the
//! inner future must not be eaten by the outer one, nor the other way round.
//!
//! # A thread at work, and asleep
//!
//! A thread may count as one at work for paused clocks: in each runtime that it blocks in or runs
//! a job for, and in that whose worker it is or was. While it sleeps here it counts in none.
//!
//! 1. It opens the parker, and then gives its counts up.
//! 2. The first wake of an open parker counts it again in all of them, and unparks it: so it is at
//!    work before whoever woke it may rest, and no clock jumps in between.
//! 3. A wake of a parker that is not open is only remembered: the thread never gave anything up.

use std::cell::RefCell;
use std::task::{Wake, Waker};

use crate::driver::{BusyCount, DriverHandle};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicU8, Ordering};
use crate::loom::thread::{self, Thread};
use crate::loom::thread_local_const;
use crate::runtime::context;
use crate::scheduler;

/// The thread sleeps, or is about to, and has given its counts up.
const OPEN: u8 = 1;
/// Somebody has called the waker.
const NOTIFIED: u8 = 2;

/// One thread's parker and the waker that ends its sleep.
#[derive(Debug)]
pub(super) struct ThreadParker {
    shared: Arc<Shared>,
    waker: Waker,
}

#[derive(Debug)]
struct Shared {
    thread: Thread,
    state: AtomicU8,
    /// Where the thread counts as one at work.
    posts: Vec<BusyCount>,
}

impl Wake for Shared {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // ORDERING: AcqRel. Release pairs with the Acquire in `park` and publishes what the waker
        // did; only the first wake of a sleep pays for the unpark.
        if self.state.fetch_or(NOTIFIED, Ordering::AcqRel) == OPEN {
            for post in &self.posts {
                post.begin();
            }
            self.thread.unpark();
        }
    }
}

thread_local_const! {
    static SPARE: RefCell<Option<(Arc<Shared>, Waker)>> = RefCell::new(None);
}

/// Calls `each` with the driver of each runtime in which this thread counts as one at work.
fn for_each_post(mut each: impl FnMut(&DriverHandle)) {
    context::for_each_busy(&mut each);
    if let Some(current) = scheduler::SchedulerHandle::current() {
        each(current.driver());
    }
}

impl Shared {
    fn new() -> Self {
        let mut posts = Vec::new();
        for_each_post(|post| posts.push(post.busy_count().clone()));
        Self {
            thread: thread::current(),
            state: AtomicU8::new(0),
            posts,
        }
    }

    /// Whether this thread counts as at work where it did when this was made.
    fn is_up_to_date(&self) -> bool {
        let mut posts = self.posts.iter();
        let mut is_same = true;
        for_each_post(|post| {
            is_same &= posts.next().is_some_and(|it| it.is_same(post.busy_count()));
        });
        is_same && posts.next().is_none()
    }
}

impl ThreadParker {
    /// Takes this thread's parker.
    pub(super) fn of_this_thread() -> Self {
        // A thread that is about to end has none.
        let spare = SPARE.try_with(RefCell::take).ok().flatten();
        let (shared, waker) = match spare.filter(|(shared, _)| shared.is_up_to_date()) {
            Some(spare) => spare,
            None => {
                let shared = Arc::new(Shared::new());
                (Arc::clone(&shared), Waker::from(shared))
            }
        };
        // A wake-up that came too late for the last sleep must not shorten the next.
        shared.state.store(0, Ordering::Relaxed);
        Self { shared, waker }
    }

    /// Ends the sleep, or the next one.
    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Sleeps until the waker was called since the last return from this function.
    pub(super) fn park(&self) {
        let state = &self.shared.state;
        debug_assert!(self.shared.is_up_to_date(), "the thread has moved");
        // ORDERING: Acquire pairs with the Release half in `wake_by_ref`.
        if state
            .compare_exchange(0, OPEN, Ordering::Acquire, Ordering::Acquire)
            .is_ok()
        {
            for_each_post(DriverHandle::end_busy);
            while state.load(Ordering::Acquire) & NOTIFIED == 0 {
                thread::park();
            }
        }
        // ORDERING: Acquire, as a later wake than the first may have come.
        state.swap(0, Ordering::Acquire);
    }
}

impl Drop for ThreadParker {
    fn drop(&mut self) {
        let spare = (Arc::clone(&self.shared), self.waker.clone());
        // A thread that is about to end keeps nothing.
        let _ = SPARE.try_with(|place| place.replace(Some(spare)));
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
        assert!(!is_quiet(), "it has not slept");
        let (waker, activity) = (parker.waker().clone(), handle.busy_count().clone());
        let thread = thread::spawn(move || {
            while !activity.was_idle_during(|| true) {
                thread::yield_now();
            }
            waker.wake_by_ref();
            waker.wake_by_ref();
            assert!(!activity.was_idle_during(|| true), "it was woken");
        });
        parker.park();
        thread.join().unwrap();
        parker.waker().wake_by_ref();
        assert!(!is_quiet());
        drop(work);
        assert!(is_quiet(), "it was counted twice");
    }
}
