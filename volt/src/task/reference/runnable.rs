//! A task in a run queue.

use super::header::{Header, WakerTable};
use super::raw_task::{RawRunOutcome, RawTask};
use super::waker::BorrowedWaker;
use crate::machine::State;
use crate::task::id::TaskId;
use crate::util::catch_as_none;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::Waker;

/// An entry of a run queue, which owns a reference to its task.
///
/// Dropping it cancels the task: the future is dropped, and the handle returns an error for which
/// [`is_cancelled`](crate::task::JoinError::is_cancelled) returns `true`.
#[must_use = "dropping a runnable cancels its task"]
pub struct Runnable(ManuallyDrop<RawTask>);

/// The result of [`Runnable::run`].
#[must_use = "a task that was woken is cancelled if it is not queued again"]
#[derive(Debug)]
pub enum RunOutcome {
    /// The task was polled, and waits for a wake.
    Idle,
    /// The task was polled, and was woken during the poll. Queue it after other tasks.
    Woken(Runnable),
    /// The task was polled, and is complete.
    Complete,
    /// The task was cancelled, before or during the poll. Its future is dropped.
    Cancelled,
    /// The entry was stale: another thread ran the task instead.
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
    /// Creates the entry of a scheduled task from its life reference.
    #[inline]
    pub(in crate::task) fn new(task: RawTask) -> Self {
        Self(ManuallyDrop::new(task))
    }

    /// Runs the task: polls it once, or drops its future if it was cancelled.
    #[inline]
    pub fn run(self) -> RunOutcome {
        self.into_raw_task().run(|_| ()).into()
    }

    /// Calls `begin`, which must not panic, and runs the task. A stale entry does not call `begin`.
    pub(crate) fn run_after(self, begin: impl FnOnce()) -> RunOutcome {
        self.into_raw_task().run(|_| begin()).into()
    }

    /// Does the same as [`run_after`](Self::run_after). `begin` gets the states of the future
    /// before the poll.
    pub(crate) fn run_traced(self, begin: impl FnOnce(Vec<&'static State>)) -> RunOutcome {
        let run = |task: &RawTask| {
            let position = task.header().vtable.position;
            // SAFETY: I2, I3: `run` made this thread the owner of the task, and its future is in
            // place until it is polled.
            begin(catch_as_none(|| unsafe { position(task.as_raw()) }).unwrap_or_default());
        };
        self.into_raw_task().run(run).into()
    }

    /// Cancels the task without polling it, shielded or not: drops its future and completes it.
    pub fn shutdown(self) {
        drop(self);
    }

    /// Passes the task to its schedule function, as a wake does.
    pub fn schedule(self) {
        self.into_raw_task().schedule();
    }

    /// Returns a waker of the task.
    #[must_use]
    pub fn waker(&self) -> Waker {
        BorrowedWaker::new(&self.0, WakerTable::ORDINARY).clone()
    }

    /// Returns the id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.0.id()
    }

    /// Converts the entry to a raw pointer, whose owner owns the entry.
    #[must_use]
    #[inline]
    pub fn into_raw(self) -> NonNull<()> {
        self.into_raw_task().into_raw().cast()
    }

    /// Creates the entry from a raw pointer.
    ///
    /// # Safety
    ///
    /// - `raw` was returned by [`Runnable::into_raw`], and was not passed to this function before.
    #[inline]
    pub unsafe fn from_raw(raw: NonNull<()>) -> Self {
        // SAFETY: `raw` owns the reference, and is converted once.
        Self::new(unsafe { RawTask::from_raw(raw.cast::<Header>()) })
    }

    /// Borrows the reference.
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

// Panics of user code are caught where the code is called, and leave no partial change.
impl UnwindSafe for Runnable {}
impl RefUnwindSafe for Runnable {}

impl fmt::Debug for Runnable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Runnable").field(&*self.0).finish()
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
