//! The hooks of the user, and the calls of them.
//!
//! A scheduler without hooks reads one pointer for each poll and each spawn. A panic in a hook is
//! reported as any other panic, and goes no further.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::task::{RunOutcome, Runnable, TaskId};

/// A hook that is called on a worker's thread.
pub(crate) type Hook = Box<dyn Fn() + Send + Sync>;

/// A hook that is called with a task.
pub(crate) type TaskHook = Box<dyn Fn(TaskId) + Send + Sync>;

/// The hooks of a scheduler; each of them is optional.
#[derive(Default)]
pub(crate) struct Hooks {
    /// Called before a worker sleeps.
    pub(crate) park: Option<Hook>,
    /// Called after a worker has slept.
    pub(crate) unpark: Option<Hook>,
    /// Called with a new task, before it is queued.
    pub(crate) spawn: Option<TaskHook>,
    /// Called with a complete task: its future is dropped, and its handle is not notified yet.
    pub(crate) terminate: Option<TaskHook>,
    /// Called before a task is polled on this thread.
    pub(crate) before_poll: Option<TaskHook>,
    /// Called after the poll.
    pub(crate) after_poll: Option<TaskHook>,
}

impl Hooks {
    /// Polls the task between its two hooks.
    #[cold]
    pub(crate) fn poll_with_hooks(&self, task: Runnable) -> RunOutcome {
        let id = task.id();
        let ran = task.run_after(|| call_task_hook(&self.before_poll, id));
        // The entry is stale: another thread has polled the task, and called its hooks.
        if !matches!(ran, RunOutcome::Stale) {
            call_task_hook(&self.after_poll, id);
        }
        ran
    }
}

pub(crate) fn call_task_hook(hook: &Option<TaskHook>, task: TaskId) {
    if let Some(hook) = hook {
        contain(|| hook(task));
    }
}

pub(crate) fn call_hook(hook: &Option<Hook>) {
    if let Some(hook) = hook {
        contain(hook);
    }
}

fn contain(hook: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(hook))
        && let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload)))
    {
        // The destructor of this payload could panic too.
        std::mem::forget(second);
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks").finish_non_exhaustive()
    }
}
