//! Wakers over the task's header.

use super::header::Header;
use super::ptr::TaskPtr;
use super::state::{ToScheduled, ToScheduledByValue};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::task::{RawWaker, RawWakerVTable, Waker};

/// One table for all tasks: what a waker does needs no types.
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

/// A waker that lives on somebody else's reference: a poll makes one without counting.
pub(super) struct BorrowedWaker(ManuallyDrop<Waker>);

impl BorrowedWaker {
    /// # Safety
    ///
    /// - The task is alive for as long as the waker is.
    #[inline]
    pub(super) unsafe fn new(task: TaskPtr) -> Self {
        let raw = RawWaker::new(task.as_non_null().as_ptr().cast_const().cast(), &VTABLE);
        // SAFETY: The functions of the table do as `RawWaker` asks, for a task that is alive;
        // as the waker is never dropped, it does not give a reference back.
        Self(ManuallyDrop::new(unsafe { Waker::from_raw(raw) }))
    }
}

impl Deref for BorrowedWaker {
    type Target = Waker;

    #[inline]
    fn deref(&self) -> &Waker {
        &self.0
    }
}

/// # Safety
///
/// - `data` is that of a waker made above.
#[inline]
unsafe fn task(data: *const ()) -> TaskPtr {
    // SAFETY: It came from a `NonNull`.
    TaskPtr::new(unsafe { NonNull::new_unchecked(data.cast_mut().cast::<Header>()) })
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: `data` is a waker's.
    let task = unsafe { task(data) };
    // SAFETY: I1: the waker keeps the task.
    unsafe { task.state() }.add_ref();
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: `data` is a waker's.
    let task = unsafe { task(data) };
    // SAFETY: I1: the waker keeps the task.
    match unsafe { task.state() }.transition_to_scheduled_by_value() {
        ToScheduledByValue::Submit => {
            // SAFETY: `Submit` gave us the life reference, and left us the waker's.
            unsafe { task.schedule() };
            // SAFETY: The waker's reference is given back once.
            unsafe { task.drop_ref() };
        }
        ToScheduledByValue::Nothing => {}
        // SAFETY: That was the last reference.
        ToScheduledByValue::Dealloc => unsafe { task.dealloc() },
    }
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: `data` is a waker's.
    let task = unsafe { task(data) };
    // SAFETY: I1: the waker keeps the task.
    if unsafe { task.state() }.transition_to_scheduled() == ToScheduled::Submit {
        // SAFETY: `Submit` gave us the life reference; the waker outlasts the call.
        unsafe { task.schedule() };
    }
}

unsafe fn drop(data: *const ()) {
    // SAFETY: `data` is a waker's.
    let task = unsafe { task(data) };
    // SAFETY: The waker's reference is given back once.
    unsafe { task.drop_ref() };
}
