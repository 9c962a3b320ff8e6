//! The spans and events that a subscriber of `tracing` receives.
//!
//! | target | span or event | time |
//! | --- | --- | --- |
//! | `volt::task` | span `runtime.spawn`: `kind`, `task.name`, `task.id`, `size.bytes`, `loc.file`, `loc.line`, `loc.col` | from the spawn until the future is dropped; entered for each poll and for that drop |
//! | `volt::task` | event `spawn`, in the span | the task has its id, and is not queued yet |
//! | `volt::task` | event `wake`: `id` | a waiting task was woken or cancelled, and will be queued; in the span of the waking thread |
//! | `runtime::waker` | event: `op`, `task.id` | a waker of a task with a span is cloned, called or dropped; the id is that of the span |
//! | `volt::worker` | events `park` and `unpark`: `worker` | a worker is about to sleep, or has slept |
//!
//! All of them have the level `TRACE`. The subscriber of tokio-console reads these names and fields
//! of spans and wakers. The `task` folder emits the events of wakers (`waker_events`). The span is
//! stored in the task next to the future, so a poll needs no lookup. [`Instrumented`] runs the
//! user's code inside of it.

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
    /// Returns the span of a task. `kind` is the kind of the task: movable between workers, or
    /// local.
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

    /// Returns `true` if a subscriber is interested. If not, the task is spawned as in a build
    /// without this feature, and allocates no memory for a span.
    pub(crate) fn is_enabled(&self) -> bool {
        !self.0.is_disabled()
    }

    /// Returns the future and the metadata to spawn, with the span.
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

    /// Records the id of the task, and that it was spawned.
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

/// Records that a waiting task will be queued.
#[inline]
pub(crate) fn record_wake(task: TaskId) {
    tracing::trace!(target: "volt::task", id = %task, "wake");
}

/// Records that a worker is about to sleep.
pub(crate) fn record_park(worker: Option<usize>) {
    tracing::trace!(target: "volt::worker", worker, "park");
}

/// Records that a worker has slept.
pub(crate) fn record_unpark(worker: Option<usize>) {
    tracing::trace!(target: "volt::worker", worker, "unpark");
}
