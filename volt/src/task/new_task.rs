//! The creation of a task, and the identity of the current one.

use super::current_task;
use super::handle::{JoinHandle, JoinInterest};
use super::id::TaskId;
use super::memory;
use super::memory::{Metadata, Schedule};
use super::reference::{RawTask, Runnable};
use std::future::Future;
#[cfg(not(loom))]
use std::num::NonZeroUsize;

/// Creates a scheduled task with a handle from a future. The caller queues the [`Runnable`].
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
    M: Metadata<F>,
{
    let (life, handle) = memory::allocate(future, scheduler, metadata);
    // SAFETY: The reference is the one of the handle, and the output is the one of the future.
    let joiner = unsafe { JoinInterest::new(handle) };
    (Runnable::new(life), JoinHandle::new(joiner))
}

/// Returns the id of the current task, or `None` outside of tasks.
#[must_use]
pub fn id() -> Option<TaskId> {
    current_task::with_current(|task| task.map(RawTask::id))
}

/// Returns the runtime id of the current task. A join may poll the task on a thread outside of that
/// runtime. Blocking jobs have no id.
#[cfg(not(loom))]
pub(crate) fn runtime_id_of_current() -> Option<NonZeroUsize> {
    current_task::with_current(|task| task.and_then(RawTask::runtime_id))
}
