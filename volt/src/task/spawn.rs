//! Making a task, and being one.

use super::context;
use super::harness;
use super::id::TaskId;
use super::join::JoinHandle;
use super::runnable::Runnable;
use super::schedule::{Metadata, Schedule};
use std::future::Future;

/// Makes a task of a future: scheduled, with a handle. The caller queues the [`Runnable`].
#[inline]
pub(crate) fn new_task<F, S, M>(
    future: F,
    scheduler: S,
    metadata: M,
) -> (Runnable, JoinHandle<F::Output>)
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
    S: Schedule,
    M: Metadata,
{
    let task = harness::allocate(future, scheduler, metadata);
    // SAFETY: The task is scheduled, and its life reference is ours to give.
    let runnable = unsafe { Runnable::new(task) };
    // SAFETY: The task has join interest, and the handle's reference is ours to give; the
    // output is that of the future.
    let handle = unsafe { JoinHandle::new(task) };
    (runnable, handle)
}

/// The id of the task that this code runs in, or `None` outside of tasks.
#[must_use]
pub fn id() -> Option<TaskId> {
    // SAFETY: The task of this thread is alive.
    context::current().map(|task| unsafe { task.id() })
}
