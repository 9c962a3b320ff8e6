//! What a subscriber of `tracing` hears.
//!
//! | target | what | when |
//! | --- | --- | --- |
//! | `volt::task` | span `runtime.spawn`: `kind`, `task.name`, `task.id`, `size.bytes`, `loc.file`, `loc.line`, `loc.col` | from the spawn until the future is dropped; entered for each poll and for that drop |
//! | `volt::task` | event `spawn`, in the span | the task has its id, and is not queued yet |
//! | `volt::task` | event `wake`: `id` | a task that waited was woken or cancelled, and is about to be queued; in the span of whoever did so |
//! | `runtime::waker` | event: `op`, `task.id` | a waker of a task that has a span is cloned, called or dropped; the id is that of the span |
//! | `volt::worker` | events `park` and `unpark`: `worker` | a worker is about to sleep, or has slept |
//!
//! All of it has the level `TRACE`. Names and fields of span and wakers are those that
//! tokio-console's subscriber reads. The events of wakers are on the task's floor (`waker_events`).
//! The span lives in the task beside the future, so that there is nothing to look up at a poll.
//! What the user has to do with it goes through [`Instrumented`].

use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::pin::Pin;

use tracing::field::Empty;
use tracing::instrument::{Instrument, Instrumented};

use crate::task::{ErasedFuture, Metadata, TaskId, delegate_metadata};

/// The span of a task.
#[derive(Clone, Debug)]
pub(crate) struct TaskSpan(tracing::Span);

impl TaskSpan {
    /// One that may be polled on any worker, or that stays on its thread, as `kind` says.
    pub(crate) fn of<F, M: Metadata<F>>(_future: &F, metadata: &M, kind: &'static str) -> Self {
        let location = metadata.location();
        Self(tracing::trace_span!(
            target: "volt::task",
            parent: None,
            "runtime.spawn",
            kind,
            task.name = metadata.name(),
            task.id = Empty,
            size.bytes = metadata.future_size(),
            loc.file = location.file(),
            loc.line = location.line(),
            loc.col = location.column(),
        ))
    }

    /// Whether a subscriber wants it. If not, the task is spawned as it would be without this
    /// feature, and takes no memory for a span.
    pub(crate) fn is_enabled(&self) -> bool {
        !self.0.is_disabled()
    }

    /// The future and its metadata, as they are to be spawned.
    pub(crate) fn instrument<F, M>(
        &self,
        future: F,
        metadata: M,
    ) -> (Instrumented<F>, SpanMetadata<F, M>) {
        let inside = SpanMetadata {
            metadata,
            span: self.0.id().map(|id| id.into_non_zero_u64()),
            _of: PhantomData,
        };
        (future.instrument(self.0.clone()), inside)
    }

    /// The task has its id.
    pub(crate) fn begin(&self, task: TaskId) {
        self.0.record("task.id", tracing::field::display(task));
        tracing::trace!(target: "volt::task", parent: &self.0, "spawn");
    }
}

/// The metadata of a future in a span.
pub(crate) struct SpanMetadata<F, M> {
    metadata: M,
    span: Option<NonZeroU64>,
    _of: PhantomData<fn(&F)>,
}

impl<F, M> Metadata<Instrumented<F>> for SpanMetadata<F, M>
where
    F: 'static,
    M: Metadata<F>,
{
    delegate_metadata!(metadata);

    fn span(&self) -> Option<NonZeroU64> {
        self.span
    }

    fn inspection_target(&self, future: Pin<&mut Instrumented<F>>) -> Option<ErasedFuture> {
        self.metadata.inspection_target(future.inner_pin_mut())
    }
}

/// A task that waited is about to be queued.
#[inline]
pub(crate) fn record_wake(task: TaskId) {
    tracing::trace!(target: "volt::task", id = %task, "wake");
}

/// A worker is about to sleep.
pub(crate) fn record_park(worker: Option<usize>) {
    tracing::trace!(target: "volt::worker", worker, "park");
}

/// A worker has slept.
pub(crate) fn record_unpark(worker: Option<usize>) {
    tracing::trace!(target: "volt::worker", worker, "unpark");
}
