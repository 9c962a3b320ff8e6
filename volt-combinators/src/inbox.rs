//! Children on their way into a scope.
//!
//! Who spawns counts his child before he puts it into the queue, so that the scope does not close
//! while it is on its way. Whoever finds the inbox closed behind him clears it.

use core::fmt;
use core::iter;
use core::task::Waker;

use atomic_waker::AtomicWaker;
use concurrent_queue::ConcurrentQueue;

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};

/// Nobody can put anything there any more.
const CLOSED: usize = 1;
/// One child on its way.
const CHILD: usize = 2;

/// A queue of children that any thread adds to, and one takes from.
pub(crate) struct Inbox<F> {
    queue: ConcurrentQueue<F>,
    /// Children that were counted and not taken, and whether it is closed.
    state: AtomicUsize,
    /// Who takes.
    waker: AtomicWaker,
}

impl<F> Inbox<F> {
    pub(crate) fn new() -> Self {
        Self {
            queue: ConcurrentQueue::unbounded(),
            state: AtomicUsize::new(0),
            waker: AtomicWaker::new(),
        }
    }

    /// Puts a child there and wakes who takes; gives it back if the inbox is closed.
    pub(crate) fn put(&self, child: F) -> Result<(), F> {
        let counted = |state| (state & CLOSED == 0).then(|| state + CHILD);
        // ORDERING: AcqRel: who closes sees the count.
        let refused = self
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, counted);
        if refused.is_err() {
            return Err(child);
        }
        _ = self.queue.push(child);
        self.waker.wake();
        // ORDERING: AcqRel: before or after the closing, which clears what was put before.
        if self.state.fetch_add(0, Ordering::AcqRel) & CLOSED != 0 {
            self.take().for_each(drop);
        }
        Ok(())
    }

    fn take(&self) -> impl Iterator<Item = F> {
        iter::from_fn(|| {
            let child = self.queue.pop().ok()?;
            // ORDERING: AcqRel: what it was counted for is before.
            self.state.fetch_sub(CHILD, Ordering::AcqRel);
            Some(child)
        })
    }
}

/// The end of an inbox that is taken from. Dropped, it closes the inbox and drops what is there.
pub(crate) struct InboxEnd<F>(Arc<Inbox<F>>);

impl<F> InboxEnd<F> {
    pub(crate) fn new(inbox: Arc<Inbox<F>>) -> Self {
        Self(inbox)
    }

    /// Takes all that is there.
    pub(crate) fn take(&self) -> impl Iterator<Item = F> {
        self.0.take()
    }

    /// Closes the inbox, unless something is there or on its way.
    pub(crate) fn try_close(&self) -> bool {
        // ORDERING: AcqRel: as in `put`.
        let closing = self
            .0
            .state
            .compare_exchange(0, CLOSED, Ordering::AcqRel, Ordering::Acquire);
        drop(self.0.waker.take());
        closing.is_ok()
    }

    /// Leaves a waker for who puts something there next. Returns false if there is something.
    pub(crate) fn is_empty_for(&self, waker: &Waker) -> bool {
        self.0.waker.register(waker);
        self.0.queue.is_empty()
    }
}

impl<F> Drop for InboxEnd<F> {
    fn drop(&mut self) {
        // ORDERING: AcqRel: as in `put`.
        self.0.state.fetch_or(CLOSED, Ordering::AcqRel);
        drop(self.0.waker.take());
        self.0.take().for_each(drop);
    }
}

impl<F> fmt::Debug for InboxEnd<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InboxEnd").finish_non_exhaustive()
    }
}

/// Every interleaving of the counts; the queue itself is tested where it comes from.
#[cfg(all(test, loom))]
mod models {
    use super::*;

    /// What is accepted is taken before the inbox closes.
    #[test]
    fn put_against_the_close_of_an_empty_inbox() {
        loom::model(|| {
            let inbox = Arc::new(Inbox::new());
            let end = InboxEnd::new(inbox.clone());
            let spawner = loom::thread::spawn(move || inbox.put(7).is_ok());
            let mut taken = end.take().count();
            let is_closed = end.try_close();
            let is_accepted = spawner.join().unwrap();
            if !is_closed {
                taken += end.take().count();
            }
            assert_eq!(taken, usize::from(is_accepted));
        });
    }

    /// What is put while the end is dropped does not stay there.
    #[test]
    fn put_against_the_drop_of_the_end() {
        loom::model(|| {
            let inbox = Arc::new(Inbox::new());
            let end = InboxEnd::new(inbox.clone());
            let spawners = inbox.clone();
            let spawner = loom::thread::spawn(move || _ = spawners.put(7));
            drop(end);
            spawner.join().unwrap();
            assert!(inbox.queue.is_empty());
        });
    }
}
