//! What others want to hear of.
//!
//! A scheduler without hooks asks one pointer a poll and a spawn. A hook that panics has panicked
//! for itself: the panic is reported as every panic is, and goes no further.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::task::{RunOutcome, Runnable, TaskId};

/// Called on a worker's thread.
pub(crate) type Hook = Box<dyn Fn() + Send + Sync>;

/// Called with the task that something happens to.
pub(crate) type TaskHook = Box<dyn Fn(TaskId) + Send + Sync>;

/// All of them; each may be missing.
#[derive(Default)]
pub(crate) struct Hooks {
    /// A worker is about to sleep.
    pub(crate) park: Option<Hook>,
    /// A worker has risen.
    pub(crate) unpark: Option<Hook>,
    /// A task was made, and is not queued yet.
    pub(crate) spawn: Option<TaskHook>,
    /// A task is complete: its future is dropped, and its handle does not know yet.
    pub(crate) terminate: Option<TaskHook>,
    /// A task is about to be polled on this thread.
    pub(crate) before_poll: Option<TaskHook>,
    /// It was.
    pub(crate) after_poll: Option<TaskHook>,
}

impl Hooks {
    /// Runs the task between its two hooks.
    #[cold]
    pub(crate) fn poll_with_hooks(&self, task: Runnable) -> RunOutcome {
        let id = task.id();
        let ran = task.run_after(|| call_task_hook(&self.before_poll, id));
        // Somebody else has run it, and has said so.
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
        // A payload whose destructor panics could do so again.
        std::mem::forget(second);
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks").finish_non_exhaustive()
    }
}
