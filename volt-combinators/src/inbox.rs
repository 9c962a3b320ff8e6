//! A queue of the children that are spawned into a scope.
//!
//! A sender counts its child before it pushes the child to the queue, so that the scope does not
//! close in between. A sender that finds the inbox closed after the push clears the queue.

use core::fmt;
use core::iter;
use core::task::Waker;

use atomic_waker::AtomicWaker;
use concurrent_queue::ConcurrentQueue;

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};

/// The inbox accepts no more children.
const CLOSED: usize = 1;
/// One child that is counted and not taken.
const CHILD: usize = 2;

/// A queue with many senders and one receiver.
pub(crate) struct Inbox<F> {
    queue: ConcurrentQueue<F>,
    /// The count of children that were sent and not taken, and the flag `CLOSED`.
    state: AtomicUsize,
    /// The waker of the receiver. It is empty when no sender is left.
    waker: AtomicWaker,
    /// The number of senders.
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

    /// Sends a child and wakes the receiver. Returns the child if the inbox is closed.
    pub(crate) fn send(&self, child: F) -> Result<(), F> {
        let counted = |state| (state & CLOSED == 0).then(|| state + CHILD);
        // ORDERING: AcqRel: the thread that closes the inbox sees the count.
        let refused = self
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, counted);
        if refused.is_err() {
            return Err(child);
        }
        _ = self.queue.push(child);
        self.waker.wake();
        // ORDERING: AcqRel: this is before the close, which then clears the queue, or after it.
        if self.state.fetch_add(0, Ordering::AcqRel) & CLOSED != 0 {
            self.take().for_each(drop);
        }
        Ok(())
    }

    fn take(&self) -> impl Iterator<Item = F> {
        iter::from_fn(|| {
            let child = self.queue.pop().ok()?;
            // ORDERING: AcqRel: the push is before this.
            self.state.fetch_sub(CHILD, Ordering::AcqRel);
            Some(child)
        })
    }
}

/// A sender of an inbox. The drop of the last sender drops the receiver's waker, so that a task
/// that waits for further children is found to be orphaned.
pub(crate) struct InboxSender<F>(Arc<Inbox<F>>);

impl<F> InboxSender<F> {
    pub(crate) fn new(inbox: Arc<Inbox<F>>) -> Self {
        // ORDERING: Relaxed: the caller has a sender or the receiver.
        inbox.handles.fetch_add(1, Ordering::Relaxed);
        Self(inbox)
    }

    /// As [`Inbox::put`].
    pub(crate) fn send(&self, child: F) -> Result<(), F> {
        self.0.send(child)
    }
}

impl<F> Clone for InboxSender<F> {
    fn clone(&self) -> Self {
        Self::new(self.0.clone())
    }
}

impl<F> Drop for InboxSender<F> {
    fn drop(&mut self) {
        // ORDERING: AcqRel: a receiver that finds no sender finds the children that they sent.
        if self.0.handles.fetch_sub(1, Ordering::AcqRel) == 1 {
            drop(self.0.waker.take());
        }
    }
}

/// The receiver of an inbox. Its drop closes the inbox and drops the children in it.
pub(crate) struct InboxReceiver<F>(Arc<Inbox<F>>);

impl<F> InboxReceiver<F> {
    pub(crate) fn new(inbox: Arc<Inbox<F>>) -> Self {
        Self(inbox)
    }

    /// Takes all children in the queue.
    pub(crate) fn take(&self) -> impl Iterator<Item = F> {
        self.0.take()
    }

    /// Closes the inbox if no child is in it or is being sent. Returns `true` if it is closed.
    pub(crate) fn try_close(&self) -> bool {
        // ORDERING: AcqRel: as in `put`.
        let closing = self
            .0
            .state
            .compare_exchange(0, CLOSED, Ordering::AcqRel, Ordering::Acquire);
        drop(self.0.waker.take());
        closing.is_ok()
    }

    /// Registers the waker for the next sender, if there is one. Returns `false` if there is a
    /// child to take.
    pub(crate) fn is_empty_for(&self, waker: &Waker) -> bool {
        // ORDERING: Acquire: pairs with the drop of a handle.
        if self.0.handles.load(Ordering::Acquire) > 0 {
            self.0.waker.register(waker);
            // The last sender may have been dropped before the waker was registered.
            if self.0.handles.fetch_add(0, Ordering::AcqRel) == 0 {
                drop(self.0.waker.take());
            }
        }
        self.0.queue.is_empty()
    }
}

impl<F> Drop for InboxReceiver<F> {
    fn drop(&mut self) {
        // ORDERING: AcqRel: as in `put`.
        self.0.state.fetch_or(CLOSED, Ordering::AcqRel);
        drop(self.0.waker.take());
        self.0.take().for_each(drop);
    }
}

impl<F> fmt::Debug for InboxReceiver<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InboxReceiver").finish_non_exhaustive()
    }
}

/// Models of the counts; the queue is tested in its own crate.
#[cfg(all(test, loom))]
mod models {
    use super::*;

    /// A child that is accepted is taken before the inbox closes.
    #[test]
    fn send_against_close_of_an_empty_inbox() {
        loom::model(|| {
            let inbox = Arc::new(Inbox::new());
            let end = InboxReceiver::new(inbox.clone());
            let spawner = loom::thread::spawn(move || inbox.send(7).is_ok());
            let mut taken = end.take().count();
            let is_closed = end.try_close();
            let is_accepted = spawner.join().unwrap();
            if !is_closed {
                taken += end.take().count();
            }
            assert_eq!(taken, usize::from(is_accepted));
        });
    }

    /// A child that is sent during the drop of the receiver does not stay in the queue.
    #[test]
    fn send_against_drop_of_the_receiver() {
        loom::model(|| {
            let inbox = Arc::new(Inbox::new());
            let end = InboxReceiver::new(inbox.clone());
            let spawners = inbox.clone();
            let spawner = loom::thread::spawn(move || _ = spawners.send(7));
            drop(end);
            spawner.join().unwrap();
            assert!(inbox.queue.is_empty());
        });
    }

    /// Either the last sender finds the waker, or the receiver finds no sender.
    #[test]
    fn drop_of_last_sender_against_waker_registration() {
        loom::model(|| {
            let inbox: Arc<Inbox<u8>> = Arc::new(Inbox::new());
            let end = InboxReceiver::new(inbox.clone());
            let handle = InboxSender::new(inbox);
            let spawner = loom::thread::spawn(move || drop(handle));
            end.is_empty_for(Waker::noop());
            spawner.join().unwrap();
            assert!(end.0.waker.take().is_none());
        });
    }
}
