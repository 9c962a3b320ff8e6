//! Wakers that cancel their task.
//!
//! Whoever may want to cancel a task later, and knows wakers only, would keep one of its wakers. The
//! task would then never be found [when nobody can wake it](crate::task::Schedule::orphaned). A canceller
//! is an [`AbortHandle`](crate::task::AbortHandle) in the shape of a waker: it counts as a reference that
//! cannot wake.

use super::header::Header;
use super::raw_task::RawTask;
use super::waker::is_of_tasks;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::task::{RawWaker, RawWakerVTable, Waker};

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

/// A waker that cancels the task that this one wakes, if it is one of a task.
pub(crate) fn canceller(waker: &Waker) -> Option<Waker> {
    if !is_of_tasks(std::ptr::from_ref(waker.vtable()).addr()) {
        return None;
    }
    // SAFETY: The table says that it is the waker of a task, which keeps its reference.
    let task = unsafe { borrowed(waker.data()) };
    // SAFETY: The functions of the table do as `RawWaker` asks, for a reference that cannot wake.
    Some(unsafe { Waker::from_raw(raw(task.clone_non_waking())) })
}

fn raw(non_waking: RawTask) -> RawWaker {
    let task = non_waking.into_raw();
    RawWaker::new(task.as_ptr().cast_const().cast(), &VTABLE)
}

/// A look at the task of a waker.
///
/// # Safety
///
/// - `data` is that of a waker of ours, which stays for as long as the look.
unsafe fn borrowed(data: *const ()) -> ManuallyDrop<RawTask> {
    // SAFETY: As the caller says.
    ManuallyDrop::new(unsafe { owned(data) })
}

/// The reference of a waker.
///
/// # Safety
///
/// - `data` is that of a waker of ours, whose reference the caller takes, or does not drop.
unsafe fn owned(data: *const ()) -> RawTask {
    // SAFETY: It came from a `NonNull`.
    let task = unsafe { NonNull::new_unchecked(data.cast_mut().cast::<Header>()) };
    // SAFETY: I1: the waker has a reference.
    unsafe { RawTask::from_raw(task) }
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `clone`.
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: The waker keeps its reference.
    raw(unsafe { borrowed(data) }.clone_non_waking())
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `wake`.
unsafe fn wake(data: *const ()) {
    // SAFETY: The waker gives its reference to us.
    let task = unsafe { owned(data) };
    task.cancel();
    task.drop_non_waking();
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `wake_by_ref`.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: The waker keeps its reference.
    unsafe { borrowed(data) }.cancel();
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `drop`.
unsafe fn drop(data: *const ()) {
    // SAFETY: The waker gives its reference to us.
    unsafe { owned(data) }.drop_non_waking();
}
