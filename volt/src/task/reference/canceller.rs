//! Wakers that cancel their task, and the id of a waker's task.
//!
//! Code that stores wakers only could keep a waker of a task to cancel the task later. The task
//! would then never count as [an orphan](crate::task::Schedule::orphaned). A canceller is an
//! [`AbortHandle`](crate::task::AbortHandle) with the interface of a waker: it counts as a
//! reference that cannot wake.

use super::header::Header;
use super::raw_task::RawTask;
use super::waker::is_of_tasks;
use std::mem::ManuallyDrop;
use std::num::NonZeroU64;
use std::ptr::NonNull;
use std::task::{RawWaker, RawWakerVTable, Waker};

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

/// Returns a waker that cancels the task of `waker`, or `None` if `waker` is not one of a task.
pub(crate) fn canceller(waker: &Waker) -> Option<Waker> {
    if !is_of_tasks(std::ptr::from_ref(waker.vtable()).addr()) {
        return None;
    }
    // SAFETY: The vtable is the one of a waker of a task, which keeps its reference.
    let task = unsafe { borrowed(waker.data()) };
    // SAFETY: The functions of the vtable uphold the contract of `RawWaker`, for a reference that
    // cannot wake.
    Some(unsafe { Waker::from_raw(raw(task.clone_non_waking())) })
}

/// Returns the id of the task of `waker`, or `None` if `waker` is not one of a task.
pub(crate) fn task_id(waker: &Waker) -> Option<NonZeroU64> {
    if !is_of_tasks(std::ptr::from_ref(waker.vtable()).addr()) {
        return None;
    }
    // SAFETY: The vtable is the one of a waker of a task, which keeps its reference.
    let task = unsafe { borrowed(waker.data()) };
    NonZeroU64::new(task.header().id().to_bits())
}

fn raw(non_waking: RawTask) -> RawWaker {
    let task = non_waking.into_raw();
    RawWaker::new(task.as_ptr().cast_const().cast(), &VTABLE)
}

/// Borrows the reference of a waker.
///
/// # Safety
///
/// - `data` is the pointer of a waker with this vtable, which outlives the result.
unsafe fn borrowed(data: *const ()) -> ManuallyDrop<RawTask> {
    // SAFETY: The caller upholds it.
    ManuallyDrop::new(unsafe { owned(data) })
}

/// Returns the reference of a waker.
///
/// # Safety
///
/// - `data` is the pointer of a waker with this vtable. The caller takes over its reference, or
///   does not drop it.
unsafe fn owned(data: *const ()) -> RawTask {
    // SAFETY: `data` was created from a `NonNull`.
    let task = unsafe { NonNull::new_unchecked(data.cast_mut().cast::<Header>()) };
    // SAFETY: I1: the waker owns a reference.
    unsafe { RawTask::from_raw(task) }
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `clone`.
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: The waker keeps its reference.
    raw(unsafe { borrowed(data) }.clone_non_waking())
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `wake`.
unsafe fn wake(data: *const ()) {
    // SAFETY: The waker passes its reference to this call.
    let task = unsafe { owned(data) };
    task.cancel();
    task.drop_non_waking();
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `wake_by_ref`.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: The waker keeps its reference.
    unsafe { borrowed(data) }.cancel();
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `drop`.
unsafe fn drop(data: *const ()) {
    // SAFETY: The waker passes its reference to this call.
    unsafe { owned(data) }.drop_non_waking();
}
