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
    /// Who takes; nobody where no handle is left.
    waker: AtomicWaker,
    /// By which children can be put there.
    handles: AtomicUsize,
}

impl<F> Inbox<F> {
    pub(crate) fn new() -> Self {
        Self {
            queue: ConcurrentQueue::unbounded(),
            state: AtomicUsize::new(0),
            waker: AtomicWaker::new(),
            handles: AtomicUsize::new(0),
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

/// One by whom children are put into an inbox. When the last one goes, so does the waker of who takes:
/// a task that waits for what nobody can put there any more has to be seen to have none.
pub(crate) struct InboxHandle<F>(Arc<Inbox<F>>);

impl<F> InboxHandle<F> {
    pub(crate) fn new(inbox: Arc<Inbox<F>>) -> Self {
        // ORDERING: Relaxed: whoever counts another one has a handle, or the end.
        inbox.handles.fetch_add(1, Ordering::Relaxed);
        Self(inbox)
    }

    /// As [`Inbox::put`].
    pub(crate) fn put(&self, child: F) -> Result<(), F> {
        self.0.put(child)
    }
}

impl<F> Clone for InboxHandle<F> {
    fn clone(&self) -> Self {
        Self::new(self.0.clone())
    }
}

impl<F> Drop for InboxHandle<F> {
    fn drop(&mut self) {
        // ORDERING: AcqRel: who finds none left finds what they have put there.
        if self.0.handles.fetch_sub(1, Ordering::AcqRel) == 1 {
            drop(self.0.waker.take());
        }
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

    /// Leaves a waker for who puts something there next, if anybody can. Returns false if there is
    /// something.
    pub(crate) fn is_empty_for(&self, waker: &Waker) -> bool {
        // ORDERING: Acquire: pairs with the drop of a handle.
        if self.0.handles.load(Ordering::Acquire) > 0 {
            self.0.waker.register(waker);
            // The last one may have gone without finding the waker.
            // ORDERING: AcqRel: before its drop, which then finds the waker, or after it.
            if self.0.handles.fetch_add(0, Ordering::AcqRel) == 0 {
                drop(self.0.waker.take());
            }
        }
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

    /// Either the last handle finds the waker, or who takes finds that there is no handle.
    #[test]
    fn drop_of_the_last_handle_against_who_leaves_a_waker() {
        loom::model(|| {
            let inbox: Arc<Inbox<u8>> = Arc::new(Inbox::new());
            let end = InboxEnd::new(inbox.clone());
            let handle = InboxHandle::new(inbox);
            let spawner = loom::thread::spawn(move || drop(handle));
            end.is_empty_for(Waker::noop());
            spawner.join().unwrap();
            assert!(end.0.waker.take().is_none());
        });
    }
}
