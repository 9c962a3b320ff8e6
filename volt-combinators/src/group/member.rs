//! What a child and whoever cancels it share.

use std::task::Waker;

use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::{AtomicBool, Ordering};

/// How the runtime makes a waker that only cancels; see [`Spawn`](super::Spawn::canceller).
pub(super) type MakeCanceller = fn(&Waker) -> Option<Waker>;

/// What a child and whoever cancels it share.
#[derive(Debug)]
pub(super) struct Member {
    cancelled: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Member {
    pub(super) fn new(cancelled: bool) -> Self {
        Self {
            cancelled: AtomicBool::new(cancelled),
            waker: Mutex::new(None),
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        // ORDERING: Relaxed: a child that misses it here is woken, see `register` and `wake`.
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Leaves the child's waker for `wake`. The child looks for cancellation *after* this: one of
    /// the two locks comes second, and sees what the other did.
    pub(super) fn register(&self, waker: &Waker) {
        let is_known = |old: &Waker| old.will_wake(waker);
        if self.waker.lock().as_ref().is_some_and(is_known) {
            return;
        }
        // A waker is foreign code that may use the group: it is cloned and dropped outside of the
        // lock.
        self.keep(waker.clone());
    }

    /// As [`register`](Self::register), of a waker that is made for this.
    pub(super) fn keep(&self, canceller: Waker) {
        let old = self.waker.lock().replace(canceller);
        drop(old);
    }

    /// Asks the child to stop, of which it hears when it is woken.
    pub(super) fn cancel(&self) {
        // ORDERING: Relaxed: the lock that `wake` takes next orders it.
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn wake(&self) {
        let waker = self.waker.lock().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
