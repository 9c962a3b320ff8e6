//! Events of `tracing` for the wakers of a task, in the format that tokio-console counts.
//!
//! Only a task with a span has events, which contain the id of the span. If the target has no
//! subscriber, an event costs one load.

use super::raw_task::RawTask;

/// Records that a waker of the task is cloned.
#[inline]
pub(in crate::task) fn cloned(task: &RawTask) {
    record(task, "waker.clone");
}

/// Records that a waker is called by value.
#[inline]
pub(in crate::task) fn woken(task: &RawTask) {
    record(task, "waker.wake");
}

/// Records that a waker is called by reference.
#[inline]
pub(super) fn woken_by_ref(task: &RawTask) {
    record(task, "waker.wake_by_ref");
}

/// Records that a waker is dropped.
#[inline]
pub(in crate::task) fn dropped(task: &RawTask) {
    record(task, "waker.drop");
}

#[inline]
fn record(task: &RawTask, op: &'static str) {
    if tracing::event_enabled!(target: "runtime::waker", tracing::Level::TRACE) {
        record_span(task, op);
    }
}

#[cold]
fn record_span(task: &RawTask, op: &'static str) {
    let span = task.header().vtable.span;
    // SAFETY: I1: the caller owns a reference.
    if let Some(span) = unsafe { span(task.as_raw()) } {
        tracing::trace!(target: "runtime::waker", op, task.id = span.get());
    }
}
