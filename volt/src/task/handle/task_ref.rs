//! A counted reference to a task that cannot wake it.

use crate::task::id::TaskId;
use crate::task::inspect::TaskInfo;
use crate::task::reference::RawTask;
#[cfg(not(loom))]
use crate::task::reference::Runnable;
#[cfg(not(loom))]
use crate::task::reference::is_of_tasks;
use crate::task::word::Lifecycle;
#[cfg(not(loom))]
use crate::task::word::flag;
use std::fmt;

/// Keeps the memory of a task, to look at it or to stop it from anywhere.
///
/// The reference is there until the destructor has run.
pub(crate) struct TaskRef(Option<RawTask>);

impl TaskRef {
    /// One more reference beside `task`.
    pub(in crate::task) fn new(task: &RawTask) -> Self {
        Self(Some(task.clone_non_waking()))
    }

    fn task(&self) -> &RawTask {
        self.0.as_ref().expect("the destructor has not run")
    }

    pub(crate) fn id(&self) -> TaskId {
        self.task().id()
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.task().state().load().is_complete()
    }

    /// Asks the task to stop: at once if it waits, else where it is popped or its poll ends.
    /// A shield puts it off.
    pub(crate) fn cancel(&self) {
        self.task().cancel();
    }

    /// Asks the task to stop, shielded or not, if nobody can wake it any more.
    pub(in crate::task) fn cancel_orphan(&self) {
        self.task().cancel_orphan();
    }

    /// Stops the task here and now, shielded or not, unless it is running elsewhere: then it is
    /// stopped there as soon as its poll is over. Answers whether it is complete.
    pub(crate) fn shutdown(&self) -> bool {
        match self.task().claim() {
            Ok(claimed) => {
                claimed.stop();
                true
            }
            Err(Lifecycle::Complete) => true,
            Err(_) => {
                self.task().force_cancel();
                false
            }
        }
    }

    /// Of a task that is in a queue.
    #[cfg(not(loom))]
    pub(crate) fn of(task: &Runnable) -> Self {
        Self::new(task.raw_task())
    }

    /// Where it is, which no other living task is.
    #[cfg(not(loom))]
    pub(crate) fn address(&self) -> usize {
        self.task().as_raw().addr().get()
    }

    /// The address of the task that awaits the handle of this one, if one does so with a waker of
    /// its own; which may be over as it is told.
    #[cfg(not(loom))]
    pub(crate) fn awaiter(&self) -> Option<usize> {
        let task = self.task();
        let seen = task.state().load();
        if seen.is_complete() || !seen.has(flag::JOIN_WAKER) {
            return None;
        }
        let (data, vtable) = task.header().join_waker.peek();
        is_of_tasks(vtable).then_some(data)
    }

    /// Tells what is known about the task, without polling it or waiting for it.
    pub(crate) fn inspect(&self) -> TaskInfo {
        TaskInfo::of(self.task())
    }

    /// Adds references that nobody holds.
    #[cfg(all(test, not(loom)))]
    pub(in crate::task) fn pretend_references(&self, count: u64) {
        self.task().state().pretend_references(count);
    }
}

impl Clone for TaskRef {
    fn clone(&self) -> Self {
        Self::new(self.task())
    }
}

impl Drop for TaskRef {
    fn drop(&mut self) {
        if let Some(task) = self.0.take() {
            task.drop_non_waking();
        }
    }
}

impl fmt::Debug for TaskRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TaskRef").field(self.task()).finish()
    }
}
