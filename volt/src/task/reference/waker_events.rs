//! What a subscriber of `tracing` hears of the wakers of a task: in the shape in which tokio-console counts them.
//!
//! Only a task that has a span is heard of, by the id of that. Where nobody listens to the target, that costs a load.

use super::raw_task::RawTask;

/// A waker of the task is cloned.
#[inline]
pub(in crate::task) fn cloned(task: &RawTask) {
    tell(task, "waker.clone");
}

/// One is called, and gone then.
#[inline]
pub(in crate::task) fn woken(task: &RawTask) {
    tell(task, "waker.wake");
}

/// One is called.
#[inline]
pub(super) fn woken_by_ref(task: &RawTask) {
    tell(task, "waker.wake_by_ref");
}

/// One is dropped.
#[inline]
pub(in crate::task) fn dropped(task: &RawTask) {
    tell(task, "waker.drop");
}

#[inline]
fn tell(task: &RawTask, op: &'static str) {
    if tracing::event_enabled!(target: "runtime::waker", tracing::Level::TRACE) {
        tell_span(task, op);
    }
}

#[cold]
fn tell_span(task: &RawTask, op: &'static str) {
    let span = task.header().vtable.span;
    // SAFETY: I1: the caller has a reference.
    if let Some(span) = unsafe { span(task.as_raw()) } {
        tracing::trace!(target: "runtime::waker", op, task.id = span.get());
    }
}
