//! A counted reference to a task that cannot wake it.

use crate::task::id::TaskId;
use crate::task::inspect::TaskInfo;
#[cfg(any(feature = "inspect", all(test, loom)))]
use crate::task::inspect::{InspectionPoll, OrphanPolls, poll_recorded};
use crate::task::reference::RawTask;
use crate::task::reference::Runnable;
#[cfg(not(loom))]
use crate::task::reference::is_of_tasks;
use crate::task::word::Lifecycle;
#[cfg(not(loom))]
use crate::task::word::flag;
use std::fmt;
#[cfg(not(loom))]
use volt_inspect::Visitor;

/// A reference by which any thread can inspect or cancel a task. It keeps the memory of the task.
///
/// The field is `Some` until the destructor has run.
pub(crate) struct TaskRef(Option<RawTask>);

impl TaskRef {
    /// Clones `task` as a reference that cannot wake.
    pub(in crate::task) fn new(task: &RawTask) -> Self {
        Self(Some(task.clone_non_waking()))
    }

    fn task(&self) -> &RawTask {
        self.0.as_ref().expect("the destructor has not run")
    }

    pub(crate) fn id(&self) -> TaskId {
        self.task().id()
    }

    /// Returns the location of the spawn.
    #[cfg(all(feature = "inspect", not(loom)))]
    pub(crate) fn spawned_at(&self) -> &'static std::panic::Location<'static> {
        self.task().describe().location
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.task().state().load().is_complete()
    }

    /// Requests cancellation: an idle task is queued to be stopped, and others stop when they are
    /// popped or their poll ends. A shield delays it.
    pub(crate) fn cancel(&self) {
        self.task().cancel();
    }

    /// Cancels the task, shielded or not, if it is marked as an orphan.
    pub(in crate::task) fn cancel_orphan(&self) {
        self.task().cancel_orphan();
    }

    /// Stops the task on this thread, shielded or not. A task that runs on another thread is
    /// stopped there at the end of its poll. Returns `true` if the task is complete.
    pub(crate) fn shutdown(&self) -> bool {
        match self.task().claim() {
            Ok(claim) => {
                claim.stop();
                true
            }
            Err(Lifecycle::Complete) => true,
            Err(_) => {
                self.task().force_cancel();
                false
            }
        }
    }

    /// Creates a reference to a queued task.
    pub(crate) fn of(task: &Runnable) -> Self {
        Self::new(task.raw_task())
    }

    /// Returns the address of the task, which is unique among live tasks.
    #[cfg(not(loom))]
    pub(crate) fn address(&self) -> usize {
        self.task().as_raw().addr().get()
    }

    /// Returns the address of the task that awaits the handle of this one with a waker of its own,
    /// or the data of a waker with one of these vtables.
    ///
    /// The await may have ended when the caller reads the result.
    #[cfg(not(loom))]
    pub(crate) fn awaiter(&self, vtables: &[usize]) -> Option<usize> {
        let task = self.task();
        let seen = task.state().load();
        if seen.is_complete() || !seen.has(flag::JOIN_WAKER) {
            return None;
        }
        let (data, vtable) = task.header().join_waker.peek();
        (is_of_tasks(vtable) || vtables.contains(&vtable)).then_some(data)
    }

    /// Returns information about the task, without polling it or waiting for it.
    pub(crate) fn inspect(&self) -> TaskInfo {
        TaskInfo::of(self.task())
    }

    /// Returns information about the task, and passes the tree of futures in it to a visitor.
    ///
    /// The visitor receives nothing if the task is being polled or is complete. No lock is held
    /// while code of the user runs: an `Inspect` or a `Debug` implementation. The call passes on a
    /// panic of such code.
    #[cfg(not(loom))]
    pub(crate) fn inspect_tree(&self, visitor: &mut dyn Visitor) -> TaskInfo {
        TaskInfo::with_tree(self.task(), visitor)
    }

    /// Polls the task once if it is idle, and records the functions that wait.
    ///
    /// The caller may poll tasks of the scheduler on this thread.
    #[cfg(any(feature = "inspect", all(test, loom)))]
    pub(crate) fn poll_to_inspect(&self, orphans: OrphanPolls) -> InspectionPoll {
        poll_recorded(self.task(), orphans)
    }

    /// Adds to the count of references, without holders.
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
