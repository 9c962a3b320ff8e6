//! Wakers over the task's header.

use super::header::Header;
use super::raw_task::RawTask;
use super::waker_events;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::task::{RawWaker, RawWakerVTable, Waker};

/// One table for all tasks: what a waker does needs no types.
#[doc(alias = "RAW_WAKER_VTABLE")]
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

/// Whether it is the table of the wakers of tasks.
#[cfg(not(loom))]
pub(in crate::task) fn is_of_tasks(vtable: usize) -> bool {
    std::ptr::from_ref(&VTABLE).addr() == vtable
}

/// A waker that lives on somebody else's reference: a poll makes one without counting.
pub(in crate::task) struct BorrowedWaker<'a> {
    waker: ManuallyDrop<Waker>,
    _task: &'a RawTask,
}

impl<'a> BorrowedWaker<'a> {
    #[inline]
    pub(in crate::task) fn new(task: &'a RawTask) -> Self {
        // SAFETY: The functions of the table do as `RawWaker` asks, for a task that is alive.
        // The waker is never dropped, so it gives no reference back.
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

/// The reference of a waker.
///
/// # Safety
///
/// - `data` is that of a waker of ours, whose reference the caller takes, or does not drop.
#[inline]
unsafe fn raw_task(data: *const ()) -> RawTask {
    // SAFETY: It came from a `NonNull`.
    let task = unsafe { NonNull::new_unchecked(data.cast_mut().cast::<Header>()) };
    // SAFETY: I1: the waker has a reference.
    unsafe { RawTask::from_raw(task) }
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `clone`.
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: The waker keeps its reference, of which this is a look only.
    let task = unsafe { raw_task(data) };
    waker_events::cloned(&task);
    raw(task.clone_ref().into_raw())
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `wake`.
unsafe fn wake(data: *const ()) {
    // SAFETY: The waker gives its reference to us.
    let task = unsafe { raw_task(data) };
    waker_events::woken(&task);
    task.wake();
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `wake_by_ref`.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: The waker keeps its reference, of which this is a look only.
    let task = unsafe { raw_task(data) };
    waker_events::woken_by_ref(&task);
    task.wake_by_ref();
}

/// # Safety
///
/// - As [`RawWakerVTable::new`] says of `drop`.
unsafe fn drop(data: *const ()) {
    // SAFETY: The waker gives its reference to us.
    let task = unsafe { raw_task(data) };
    waker_events::dropped(&task);
    task.drop_waker();
}
