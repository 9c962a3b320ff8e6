//! Wakers over the task's header.

use super::header::Header;
use super::raw_task::RawTask;
use super::waker_events;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::task::{RawWaker, RawWakerVTable, Waker};

/// The vtable of the wakers of all tasks. Its functions do not depend on the types of a task.
#[doc(alias = "RAW_WAKER_VTABLE")]
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

/// Returns `true` if this is the address of the vtable of the wakers of tasks.
#[cfg(not(loom))]
pub(in crate::task) fn is_of_tasks(vtable: usize) -> bool {
    std::ptr::from_ref(&VTABLE).addr() == vtable
}

/// A waker that borrows a reference. A poll creates one without counting it.
pub(in crate::task) struct BorrowedWaker<'a> {
    waker: ManuallyDrop<Waker>,
    _task: &'a RawTask,
}

impl<'a> BorrowedWaker<'a> {
    #[inline]
    pub(in crate::task) fn new(task: &'a RawTask) -> Self {
        // SAFETY: The functions of the vtable uphold the contract of `RawWaker`, for a live task.
        // The waker is never dropped, so it drops no reference.
        let waker = unsafe { Waker::from_raw(raw(task.as_raw())) };
        Self {
            waker: ManuallyDrop::new(waker),
            _task: task,
        }
    }
}

impl Deref for BorrowedWaker<'_> {
    type Target = Waker;

    #[inline]
    fn deref(&self) -> &Waker {
        &self.waker
    }
}

#[inline]
fn raw(task: NonNull<Header>) -> RawWaker {
    RawWaker::new(task.as_ptr().cast_const().cast(), &VTABLE)
}

/// Returns the reference of a waker.
///
/// # Safety
///
/// - `data` is the pointer of a waker with this vtable. The caller takes over its reference, or
///   does not drop it.
#[inline]
unsafe fn raw_task(data: *const ()) -> RawTask {
    // SAFETY: `data` was created from a `NonNull`.
    let task = unsafe { NonNull::new_unchecked(data.cast_mut().cast::<Header>()) };
    // SAFETY: I1: the waker owns a reference.
    unsafe { RawTask::from_raw(task) }
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `clone`.
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: The waker keeps its reference, and `task` is not dropped.
    let task = unsafe { raw_task(data) };
    waker_events::cloned(&task);
    raw(task.clone_ref().into_raw())
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `wake`.
unsafe fn wake(data: *const ()) {
    // SAFETY: The waker passes its reference to this call.
    let task = unsafe { raw_task(data) };
    waker_events::woken(&task);
    task.wake();
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `wake_by_ref`.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: The waker keeps its reference, and `task` is not dropped.
    let task = unsafe { raw_task(data) };
    waker_events::woken_by_ref(&task);
    task.wake_by_ref();
}

/// # Safety
///
/// - The requirements of [`RawWakerVTable::new`] for `drop`.
unsafe fn drop(data: *const ()) {
    // SAFETY: The waker passes its reference to this call.
    let task = unsafe { raw_task(data) };
    waker_events::dropped(&task);
    task.drop_waker();
}
