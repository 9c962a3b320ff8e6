//! Wakers that are taken under a lock and called after it.

use crate::util::catch_and_discard;
use std::task::Waker;

/// The number of wakers that are taken before the lock is released to call them.
const CAPACITY: usize = 64;

/// Wakers that must be called.
///
/// A waker is foreign code: it may take any lock, run for a long time or panic. Each waker is
/// called after the lock under which it was taken is released. A panic of one does not prevent the
/// calls of the others.
#[derive(Debug)]
pub(super) struct WakeBatch {
    wakers: Vec<Waker>,
    called: u64,
}

impl WakeBatch {
    pub(super) fn new() -> Self {
        Self {
            wakers: Vec::new(),
            called: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, waker: Waker) {
        self.wakers.push(waker);
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.wakers.len() >= CAPACITY
    }

    /// Returns the number of wakers that can be added.
    pub(super) fn free_capacity(&self) -> usize {
        CAPACITY.saturating_sub(self.wakers.len())
    }

    /// Returns the number of wakers that were added so far.
    pub(super) fn added(&self) -> u64 {
        self.called + self.wakers.len() as u64
    }

    /// Returns the number of wakers that were called so far.
    pub(super) fn called(&self) -> u64 {
        self.called
    }

    /// Calls all wakers. The caller must not hold a lock.
    pub(super) fn wake_all(&mut self) {
        self.called += self.wakers.len() as u64;
        for waker in self.wakers.drain(..) {
            catch_and_discard(|| waker.wake());
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    use super::WakeBatch;

    struct Counted(AtomicUsize);

    impl Wake for Counted {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    struct Panicking;

    impl Wake for Panicking {
        fn wake(self: Arc<Self>) {
            std::panic::panic_any(PanicsInDrop);
        }
    }

    struct PanicsInDrop;

    impl Drop for PanicsInDrop {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new("from the payload's drop"));
        }
    }

    #[test]
    #[cfg_attr(
        miri,
        ignore = "what a payload's drop panics with is leaked on purpose"
    )]
    fn panicking_waker_does_not_stop_other_wakers() {
        let counted = Arc::new(Counted(AtomicUsize::new(0)));
        let mut batch = WakeBatch::new();
        for _ in 0..3 {
            batch.push(Waker::from(Arc::clone(&counted)));
            batch.push(Waker::from(Arc::new(Panicking)));
        }
        batch.wake_all();
        assert_eq!(counted.0.load(Ordering::Relaxed), 3);
        assert_eq!(Arc::strong_count(&counted), 1);
    }
}
