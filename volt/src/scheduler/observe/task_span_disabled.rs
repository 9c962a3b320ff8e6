//! The items of `task_span.rs` for builds without the feature `tracing`. They do nothing.

use crate::task::TaskId;

/// The span of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskSpan;

impl TaskSpan {
    #[inline]
    pub(crate) fn of<F, M>(_future: &F, _metadata: &M, _kind: &str) -> Self {
        Self
    }

    #[inline]
    pub(crate) fn is_enabled(&self) -> bool {
        false
    }

    /// Returns the future and the metadata to spawn.
    #[inline]
    pub(crate) fn instrument<F, M>(&self, future: F, metadata: M) -> (F, M) {
        (future, metadata)
    }

    #[inline]
    pub(crate) fn begin(&self, _task: TaskId) {}
}

#[inline]
pub(crate) fn record_wake(_task: TaskId) {}

#[inline]
pub(crate) fn record_park(_worker: Option<usize>) {}

#[inline]
pub(crate) fn record_unpark(_worker: Option<usize>) {}
