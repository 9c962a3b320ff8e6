//! A counted reference to a task that cannot wake it.

use super::id::TaskId;
use super::inspect::TaskInfo;
use super::ptr::TaskPtr;
use super::snapshot::Lifecycle;
use super::state::Claim;
use std::fmt;

/// Keeps the memory of a task, to look at it or to stop it from anywhere.
pub(crate) struct TaskRef(TaskPtr);

// SAFETY: What it does to the task goes through the state word, and the futures of tasks that
// have references in several threads are `Send`.
unsafe impl Send for TaskRef {}
// SAFETY: As above.
unsafe impl Sync for TaskRef {}

impl TaskRef {
    /// # Safety
    ///
    /// - The task is alive.
    pub(super) unsafe fn new(task: TaskPtr) -> Self {
        // SAFETY: The task is alive.
        unsafe { task.state() }.add_bystander();
        Self(task)
    }

    pub(crate) fn id(&self) -> TaskId {
        // SAFETY: I1: `self` keeps the task.
        unsafe { self.0.id() }
    }

    pub(crate) fn is_complete(&self) -> bool {
        // SAFETY: I1: `self` keeps the task.
        unsafe { self.0.state() }.load().is_complete()
    }

    /// Asks the task to stop: at once if it waits, else where it is popped or its poll ends.
    /// A shield puts it off.
    pub(crate) fn cancel(&self) {
        // SAFETY: I1: `self` keeps the task.
        unsafe { self.0.cancel() };
    }

    /// Stops the task here and now, shielded or not, unless it is running elsewhere: then it is
    /// cancelled. Answers whether it is complete.
    pub(crate) fn shutdown(&self) -> bool {
        // SAFETY: I1: `self` keeps the task.
        match unsafe { self.0.state() }.claim() {
            Claim::WasIdle | Claim::WasScheduled => {
                // SAFETY: I2: the claim gave us the task and its life reference.
                unsafe { self.0.finish_cancelled() };
                true
            }
            Claim::Refused(Lifecycle::Complete) => true,
            Claim::Refused(_) => {
                self.cancel();
                false
            }
        }
    }

    /// Tells what is known about the task, without polling it or waiting for it.
    pub(crate) fn inspect(&self) -> TaskInfo {
        TaskInfo::of(self.0)
    }
}

impl Clone for TaskRef {
    fn clone(&self) -> Self {
        // SAFETY: I1: `self` keeps the task.
        unsafe { Self::new(self.0) }
    }
}

impl Drop for TaskRef {
    fn drop(&mut self) {
        // SAFETY: I1: `self` keeps the task until here.
        unsafe { self.0.drop_bystander() };
    }
}

impl fmt::Debug for TaskRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: I1: `self` keeps the task.
        let header = unsafe { self.0.header() };
        f.debug_tuple("TaskRef").field(header).finish()
    }
}
