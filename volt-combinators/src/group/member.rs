//! The cancellation flag and the waker of a child.

use std::task::Waker;

use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::{AtomicBool, Ordering};

/// Makes a waker that only cancels; see [`Spawn`](super::Spawn::canceller).
pub(super) type MakeCanceller = fn(&Waker) -> Option<Waker>;

/// The state that a child shares with its group: its cancellation flag and its waker.
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
        // ORDERING: Relaxed: a child that does not see it here is woken, see `register` and `wake`.
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Registers the child's waker for `wake`. The child checks for cancellation *after* this: the
    /// later of the two locks sees the effect of the earlier one.
    pub(super) fn register(&self, waker: &Waker) {
        let is_known = |old: &Waker| old.will_wake(waker);
        if self.waker.lock().as_ref().is_some_and(is_known) {
            return;
        }
        // A waker is foreign code that may use the group: it is cloned and dropped without the
        // lock.
        self.set_waker(waker.clone());
    }

    /// Sets a waker that was made for this child by its runtime.
    pub(super) fn set_canceller(&self, canceller: Waker) {
        self.set_waker(canceller);
    }

    fn set_waker(&self, waker: Waker) {
        let old = self.waker.lock().replace(waker);
        drop(old);
    }

    /// Sets the flag. The child sees it when it is woken.
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
