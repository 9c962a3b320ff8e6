//! A task in a run queue.

use super::header::Header;
use super::raw_task::{RawRunOutcome, RawTask};
use super::waker::BorrowedWaker;
use crate::task::id::TaskId;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::Waker;

/// An entry of a run queue, with the reference that belongs to it.
///
/// Dropping one stops the task: its future is dropped and its handle gets an error for which
/// [`is_cancelled`](crate::task::JoinError::is_cancelled) holds.
#[must_use = "dropping a runnable cancels its task"]
pub struct Runnable(ManuallyDrop<RawTask>);

/// What came of running a queue entry.
#[must_use = "a task that was woken is cancelled if it is not queued again"]
#[derive(Debug)]
pub enum RunOutcome {
    /// The task was polled and waits.
    Idle,
    /// The task was polled and was woken meanwhile: queue it, behind others.
    Woken(Runnable),
    /// The task was polled, and is complete.
    Complete,
    /// The task had been cancelled, or was while it was polled: its future is dropped.
    Cancelled,
    /// Somebody else had run the task; nothing was done.
    Stale,
}

impl From<RawRunOutcome> for RunOutcome {
    #[inline]
    fn from(step: RawRunOutcome) -> Self {
        match step {
            RawRunOutcome::Idle => Self::Idle,
            RawRunOutcome::Woken(life) => Self::Woken(Runnable::new(life)),
            RawRunOutcome::Complete => Self::Complete,
            RawRunOutcome::Cancelled => Self::Cancelled,
            RawRunOutcome::Stale => Self::Stale,
        }
    }
}

impl Runnable {
    /// The entry of a scheduled task, of its life reference.
    #[inline]
    pub(in crate::task) fn new(task: RawTask) -> Self {
        Self(ManuallyDrop::new(task))
    }

    /// Runs the task: polls it once, or drops its future if it was cancelled.
    #[inline]
    pub fn run(self) -> RunOutcome {
        self.into_raw_task().run(|| ()).into()
    }

    /// As [`run`](Self::run), but calls `begin` first, which must not panic, unless the answer is
    /// [`RunOutcome::Stale`].
    pub(crate) fn run_after(self, begin: impl FnOnce()) -> RunOutcome {
        self.into_raw_task().run(begin).into()
    }

    /// Stops the task without polling it: drops its future and completes it as cancelled,
    /// shielded or not.
    pub fn shutdown(self) {
        drop(self);
    }

    /// Hands the task to whoever queues it, as a wake would have done.
    pub fn schedule(self) {
        self.into_raw_task().schedule();
    }

    /// A waker of the task.
    #[must_use]
    pub fn waker(&self) -> Waker {
        BorrowedWaker::new(&self.0).clone()
    }

    /// The id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.0.id()
    }

    /// The entry as a plain pointer, whose owner owns the entry.
    #[must_use]
    #[inline]
    pub fn into_raw(self) -> NonNull<()> {
        self.into_raw_task().into_raw().cast()
    }

    /// The entry that a plain pointer stands for.
    ///
    /// # Safety
    ///
    /// - `raw` comes from [`Runnable::into_raw`], and no other entry was made of it since.
    #[inline]
    pub unsafe fn from_raw(raw: NonNull<()>) -> Self {
        // SAFETY: The reference went into `raw`, and comes out once.
        Self::new(unsafe { RawTask::from_raw(raw.cast::<Header>()) })
    }

    /// The reference, for whoever only looks.
    pub(in crate::task) fn raw_task(&self) -> &RawTask {
        &self.0
    }

    #[inline]
    fn into_raw_task(self) -> RawTask {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, nor dropped.
        unsafe { ManuallyDrop::take(&mut this.0) }
    }
}

impl Drop for Runnable {
    #[cold]
    fn drop(&mut self) {
        // SAFETY: `self` is not used again.
        unsafe { ManuallyDrop::take(&mut self.0) }.run_to_stop();
    }
}

// Panics of the user's code are caught where it is called, and leave nothing half-changed.
impl UnwindSafe for Runnable {}
impl RefUnwindSafe for Runnable {}

impl fmt::Debug for Runnable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Runnable").field(&*self.0).finish()
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
