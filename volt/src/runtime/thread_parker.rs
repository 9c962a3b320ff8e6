//! The parker of a thread that blocks on a future.
//!
//! A [`Waker`] that unparks one thread. Each thread keeps its own in a thread-local, so that
//! blocking on a future allocates once a thread, not once a call. A block nested in another one
//! on the same thread (a future that blocks inside its `poll`) takes a fresh parker, because a
//! wake-up of the inner future must not be eaten by the outer one, nor the other way round.
//!
//! While the thread does not sleep it counts as at work in its runtime's [`Activity`]. It is the
//! first wake of a sleep that counts it again, and not the thread when it rises: a paused clock
//! must not jump in between.

use std::cell::RefCell;
use std::task::{Wake, Waker};

use crate::driver::{Activity, DriverHandle};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicU8, Ordering};
use crate::loom::thread::{self, Thread};

/// The thread blocks, and nobody has woken it. Without this bit, it does not block.
const OPEN: u8 = 1;
/// Somebody has called the waker.
const NOTIFIED: u8 = 2;

/// One thread's parker and the waker that ends its sleep.
#[derive(Debug, Clone)]
pub(super) struct ThreadParker {
    shared: Arc<Shared>,
    waker: Waker,
}

#[derive(Debug)]
struct Shared {
    thread: Thread,
    state: AtomicU8,
    activity: Activity,
}

impl Wake for Shared {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // ORDERING: AcqRel. Release pairs with the swap in `park` and publishes what the waker
        // did; only the first wake of a sleep pays for the unpark.
        if self.state.fetch_or(NOTIFIED, Ordering::AcqRel) == OPEN {
            self.activity.begin();
            self.thread.unpark();
        }
    }
}

thread_local! {
    static SPARE: RefCell<Option<ThreadParker>> = const { RefCell::new(None) };
}

/// A thread that blocks in a runtime; dropping it is the end of that.
#[derive(Debug)]
pub(super) struct Blocked<'a> {
    parker: ThreadParker,
    driver: &'a DriverHandle,
}

impl ThreadParker {
    fn new(activity: Activity) -> Self {
        let shared = Arc::new(Shared {
            thread: thread::current(),
            state: AtomicU8::new(0),
            activity,
        });
        let waker = Waker::from(Arc::clone(&shared));
        Self { shared, waker }
    }
}

impl<'a> Blocked<'a> {
    /// Takes this thread's parker.
    pub(super) fn new(driver: &'a DriverHandle) -> Self {
        let activity = driver.activity();
        let parker = SPARE
            .with_borrow_mut(Option::take)
            .filter(|parker| parker.shared.activity.is_same(activity))
            .unwrap_or_else(|| ThreadParker::new(activity.clone()));
        activity.begin();
        // A wake-up that came too late for the last sleep must not shorten the next.
        parker.shared.state.store(OPEN, Ordering::Relaxed);
        Self { parker, driver }
    }

    pub(super) fn waker(&self) -> &Waker {
        &self.parker.waker
    }

    /// Sleeps until the waker was called since the last return from this function.
    pub(super) fn park(&self) {
        self.driver.end_work();
        // ORDERING: Acquire pairs with the Release half in `wake_by_ref`.
        while self.parker.shared.state.swap(OPEN, Ordering::Acquire) & NOTIFIED == 0 {
            thread::park();
        }
    }
}

impl Drop for Blocked<'_> {
    fn drop(&mut self) {
        // A wake that nobody will see was counted all the same.
        if self.parker.shared.state.swap(0, Ordering::Acquire) & NOTIFIED != 0 {
            self.driver.end_work();
        }
        self.driver.end_work();
        SPARE.set(Some(self.parker.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Driver;

    fn driver() -> (Driver, DriverHandle) {
        Driver::new().expect("the system grants three descriptors")
    }

    #[test]
    fn wake_before_park_returns_at_once() {
        let (_driver, handle) = driver();
        let blocked = Blocked::new(&handle);
        blocked.waker().wake_by_ref();
        blocked.park();
    }

    #[test]
    fn nested_parker_is_another_one() {
        let (_driver, handle) = driver();
        let outer = Blocked::new(&handle);
        let inner = Blocked::new(&handle);
        assert!(!outer.waker().will_wake(inner.waker()));
    }

    #[test]
    fn parker_is_kept_for_the_next_block_of_the_same_runtime() {
        let ((_one, first), (_two, second)) = (driver(), driver());
        let waker = Blocked::new(&first).waker().clone();
        assert!(Blocked::new(&first).waker().will_wake(&waker));
        assert!(!Blocked::new(&second).waker().will_wake(&waker));
    }

    #[test]
    fn wake_from_another_thread_ends_the_sleep() {
        let (_driver, handle) = driver();
        let blocked = Blocked::new(&handle);
        let waker = blocked.waker().clone();
        let thread = thread::spawn(move || waker.wake());
        blocked.park();
        thread.join().unwrap();
    }

    #[test]
    fn blocked_thread_is_at_work_unless_it_sleeps() {
        let (_driver, handle) = driver();
        let is_quiet = || handle.activity().is_quiet_while(|| true);
        let blocked = Blocked::new(&handle);
        assert!(!is_quiet());
        blocked.waker().wake_by_ref();
        blocked.waker().wake_by_ref();
        blocked.park();
        assert!(!is_quiet());
        let waker = blocked.waker().clone();
        waker.wake_by_ref();
        drop(blocked);
        assert!(is_quiet());
        waker.wake();
        assert!(is_quiet(), "nobody blocks any more");
    }
}
