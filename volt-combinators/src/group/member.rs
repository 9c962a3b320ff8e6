//! The cancellation flag and the waker of a child.

use std::num::NonZeroU64;
use std::task::Waker;

use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::{AtomicBool, Ordering};

/// The runtime's view of a child that starts; see [`Spawn`](super::Spawn).
#[derive(Debug)]
pub(super) struct StartedTask {
    /// A waker that only cancels.
    pub(super) canceller: Option<Waker>,
    pub(super) id: Option<NonZeroU64>,
}

/// Describes the task that polls with a waker.
pub(super) type DescribeTask = fn(&Waker) -> StartedTask;

/// The state that a child shares with its group: its cancellation flag and its waker.
#[derive(Debug)]
pub(super) struct Member {
    cancelled: AtomicBool,
    task: Mutex<MemberTask>,
}

/// The task of a child.
#[derive(Debug)]
struct MemberTask {
    waker: Option<Waker>,
    id: Option<NonZeroU64>,
}

impl Member {
    pub(super) fn new(cancelled: bool) -> Self {
        Self {
            cancelled: AtomicBool::new(cancelled),
            task: Mutex::new(MemberTask {
                waker: None,
                id: None,
            }),
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
        if self.task.lock().waker.as_ref().is_some_and(is_known) {
            return;
        }
        // A waker is foreign code that may use the group: it is cloned and dropped without the
        // lock.
        let waker = waker.clone();
        let old = self.task.lock().waker.replace(waker);
        drop(old);
    }

    /// Sets a waker that was made for this child by its runtime, and the id of its task.
    pub(super) fn set_canceller(&self, canceller: Waker, id: Option<NonZeroU64>) {
        let mut task = self.task.lock();
        let old = task.waker.replace(canceller);
        task.id = id;
        drop(task);
        drop(old);
    }

    /// Sets the id of the task that polls this child.
    pub(super) fn set_task_id(&self, id: NonZeroU64) {
        self.task.lock().id = Some(id);
    }

    /// Returns the id of the task that polls this child, if the child has started and its runtime
    /// has ids.
    pub(super) fn task_id(&self) -> Option<NonZeroU64> {
        self.task.lock().id
    }

    /// Sets the flag. The child sees it when it is woken.
    pub(super) fn cancel(&self) {
        // ORDERING: Relaxed: the lock that `wake` takes next orders it.
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn wake(&self) {
        let waker = self.task.lock().waker.take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
