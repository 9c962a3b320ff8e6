//! A task in a run queue.

use super::header::Polled;
use super::id::TaskId;
use super::ptr::TaskPtr;
use super::state::ToRunning;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// An entry of a run queue, with the reference that belongs to it.
///
/// Dropping one stops the task: its future is dropped and its handle gets
/// [`is_cancelled`](super::JoinError::is_cancelled).
#[must_use = "dropping a runnable cancels its task"]
pub struct Runnable(TaskPtr);

/// What came of running a queue entry.
#[must_use = "a task that was woken must be queued again"]
#[derive(Debug)]
pub enum Ran {
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

// SAFETY: A `Runnable` of a future that is not `Send` is made only by an unsafe function.
unsafe impl Send for Runnable {}
// SAFETY: A shared `Runnable` tells its id.
unsafe impl Sync for Runnable {}

impl Runnable {
    /// # Safety
    ///
    /// - The caller has the life reference of a scheduled task, or the reference of a queue
    ///   entry, and gives it away.
    #[inline]
    pub(super) unsafe fn new(task: TaskPtr) -> Self {
        Self(task)
    }

    /// Runs the task: polls it once, or drops its future if it was cancelled.
    #[inline]
    pub fn run(self) -> Ran {
        let task = self.take();
        // SAFETY: I1: the entry's reference keeps the task.
        match unsafe { task.state() }.transition_to_running() {
            // SAFETY: I2: the word says that the task is ours.
            ToRunning::Run => match unsafe { task.poll() } {
                Polled::Idle => Ran::Idle,
                // SAFETY: The life reference is ours again.
                Polled::Woken => Ran::Woken(unsafe { Runnable::new(task) }),
                Polled::Complete => Ran::Complete,
                Polled::Cancelled => Ran::Cancelled,
            },
            ToRunning::Cancelled => {
                // SAFETY: I2: the word says that the task is ours.
                unsafe { task.finish_cancelled() };
                Ran::Cancelled
            }
            ToRunning::Stale => Ran::Stale,
            ToRunning::StaleLast => {
                // SAFETY: That was the last reference.
                unsafe { task.dealloc() };
                Ran::Stale
            }
        }
    }

    /// Stops the task without polling it: drops its future and completes it as cancelled,
    /// shielded or not.
    pub fn shutdown(self) {
        drop(self);
    }

    /// The id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        // SAFETY: I1: `self` keeps the task.
        unsafe { self.0.id() }
    }

    /// The entry as a plain pointer, whose owner owns the entry.
    #[must_use]
    #[inline]
    pub fn into_raw(self) -> NonNull<()> {
        self.take().as_non_null().cast()
    }

    /// The entry that a plain pointer stands for.
    ///
    /// # Safety
    ///
    /// - `raw` comes from [`Runnable::into_raw`], and no other entry was made of it since.
    #[inline]
    pub unsafe fn from_raw(raw: NonNull<()>) -> Self {
        Self(TaskPtr::new(raw.cast()))
    }

    /// The task itself, as whoever polls it sees it.
    pub(super) fn ptr(&self) -> TaskPtr {
        self.0
    }

    #[inline]
    fn take(self) -> TaskPtr {
        ManuallyDrop::new(self).0
    }
}

impl Drop for Runnable {
    #[cold]
    fn drop(&mut self) {
        let task = self.0;
        // SAFETY: I1: the entry's reference keeps the task.
        match unsafe { task.state() }.transition_to_running() {
            // SAFETY: I2: the word says that the task is ours.
            ToRunning::Run | ToRunning::Cancelled => unsafe { task.finish_cancelled() },
            ToRunning::Stale => {}
            // SAFETY: That was the last reference.
            ToRunning::StaleLast => unsafe { task.dealloc() },
        }
    }
}

impl fmt::Debug for Runnable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: I1: `self` keeps the task.
        let header = unsafe { self.0.header() };
        f.debug_tuple("Runnable").field(header).finish()
    }
}
