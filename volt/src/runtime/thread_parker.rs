//! The parker of a thread that blocks on a future.
//!
//! A [`Waker`] that unparks one thread. Each thread keeps its own in a thread-local, so that
//! blocking on a future allocates once a thread, not once a call. A block nested in another one
//! on the same thread (a future that blocks inside its `poll`) takes a fresh parker, because a
//! wake-up of the inner future must not be eaten by the outer one, nor the other way round.

use std::cell::RefCell;
use std::task::{Wake, Waker};

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::thread::{self, Thread};

/// One thread's parker and the waker that ends its sleep.
#[derive(Debug, Clone)]
pub(super) struct ThreadParker {
    shared: Arc<Shared>,
    waker: Waker,
}

#[derive(Debug)]
struct Shared {
    thread: Thread,
    notified: AtomicBool,
}

impl Wake for Shared {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // ORDERING: AcqRel. Release pairs with the swap in `park` and publishes what the waker
        // did; only the first wake of a sleep pays for the unpark.
        if !self.notified.swap(true, Ordering::AcqRel) {
            self.thread.unpark();
        }
    }
}

thread_local! {
    static SPARE: RefCell<Option<ThreadParker>> = const { RefCell::new(None) };
}

impl ThreadParker {
    fn new() -> Self {
        let shared = Arc::new(Shared {
            thread: thread::current(),
            notified: AtomicBool::new(false),
        });
        let waker = Waker::from(Arc::clone(&shared));
        Self { shared, waker }
    }

    /// Lends this thread's parker to `block`.
    pub(super) fn with<R>(block: impl FnOnce(&Self) -> R) -> R {
        let parker = SPARE
            .with_borrow_mut(Option::take)
            .unwrap_or_else(Self::new);
        let result = block(&parker);
        // A wake-up that came too late must not shorten the next sleep; clearing it is harmless
        // at worst, since every sleeper polls before it sleeps.
        parker.shared.notified.store(false, Ordering::Relaxed);
        SPARE.set(Some(parker));
        result
    }

    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Sleeps until the waker was called since the last return from this function.
    pub(super) fn park(&self) {
        // ORDERING: Acquire pairs with the Release half in `wake_by_ref`.
        while !self.shared.notified.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wake_before_park_returns_at_once() {
        ThreadParker::with(|parker| {
            parker.waker().wake_by_ref();
            parker.park();
        });
    }

    #[test]
    fn nested_parker_is_another_one() {
        ThreadParker::with(|outer| {
            ThreadParker::with(|inner| assert!(!outer.waker().will_wake(inner.waker())));
        });
    }

    #[test]
    fn wake_from_another_thread_ends_the_sleep() {
        ThreadParker::with(|parker| {
            let waker = parker.waker().clone();
            let thread = thread::spawn(move || waker.wake());
            parker.park();
            thread.join().unwrap();
        });
    }
}
