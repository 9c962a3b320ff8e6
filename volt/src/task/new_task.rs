//! Making a task, and being one.

use super::current_task;
use super::handle::{JoinHandle, JoinInterest};
use super::id::TaskId;
use super::memory;
use super::memory::{Metadata, Schedule};
use super::reference::{RawTask, Runnable};
use std::future::Future;
#[cfg(not(loom))]
use std::num::NonZeroUsize;

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
    M: Metadata<F>,
{
    let (life, handle) = memory::allocate(future, scheduler, metadata);
    // SAFETY: It is the handle's reference, and the output is that of the future.
    let joiner = unsafe { JoinInterest::new(handle) };
    (Runnable::new(life), JoinHandle::new(joiner))
}

/// The id of the task that this code runs in, or `None` outside of tasks.
#[must_use]
pub fn id() -> Option<TaskId> {
    current_task::with_current(|task| task.map(RawTask::id))
}

/// The scheduler whose workers run the task that this code runs in, whoever polls it: a join may do so
/// on another thread. Blocking jobs have none.
#[cfg(not(loom))]
pub(crate) fn runtime_id_of_current() -> Option<NonZeroUsize> {
    current_task::with_current(|task| task.and_then(RawTask::runtime_id))
}
