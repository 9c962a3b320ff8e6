//! What `task_span.rs` offers, for builds without the feature `tracing`: nothing happens.

use crate::task::TaskId;

/// The span of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span;

impl Span {
    #[inline]
    pub(super) fn of<F, M>(_future: &F, _metadata: &M, _kind: &str) -> Self {
        Self
    }

    #[inline]
    pub(super) fn is_heard(&self) -> bool {
        false
    }

    /// The future and its metadata, as they are to be spawned.
    #[inline]
    pub(super) fn around<F, M>(&self, future: F, metadata: M) -> (F, M) {
        (future, metadata)
    }

    #[inline]
    pub(super) fn begin(&self, _task: TaskId) {}
}

#[inline]
pub(super) fn woken(_task: TaskId) {}

#[inline]
pub(super) fn parks(_worker: Option<usize>) {}

#[inline]
pub(super) fn unparks(_worker: Option<usize>) {}
