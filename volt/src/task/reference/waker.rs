//! Wakers over the task's header.

#[cfg(any(feature = "inspect", all(test, loom)))]
use super::clone_recorder;
use super::header::{Header, WakerTable};
use super::raw_task::{RawRunOutcome, RawTask};
use super::waker_events;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::task::{RawWaker, RawWakerVTable, Waker};

/// The vtable of the wakers of all tasks. Its functions do not depend on the types of a task.
#[doc(alias = "RAW_WAKER_VTABLE")]
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

/// The vtable of the waker of an inspection poll. It records clones, which are ordinary wakers.
///
/// A future that waits stores a clone of the waker of its last poll, and clones again if the next
/// poll has a different waker. A waker with this vtable is different from each stored one.
#[cfg(any(feature = "inspect", all(test, loom)))]
static RECORDING_VTABLE: RawWakerVTable =
    RawWakerVTable::new(clone_recorded, wake, wake_by_ref, drop);

/// The vtable of the waker of an inspection poll of an orphan. It records clones, which wake
/// nothing, and a call of the waker itself has no effect.
///
/// So the task has no waker after the poll, as before it, and stays an orphan.
#[cfg(any(feature = "inspect", all(test, loom)))]
static INERT_VTABLE: RawWakerVTable =
    RawWakerVTable::new(clone_inert, do_nothing, do_nothing, do_nothing);

#[cfg(not(any(feature = "inspect", all(test, loom))))]
impl WakerTable {
    pub(in crate::task) const ORDINARY: Self = Self::only();

    #[inline]
    #[expect(clippy::unused_self, reason = "the other configuration uses it")]
    fn get(self) -> &'static RawWakerVTable {
        &VTABLE
    }
}

#[cfg(any(feature = "inspect", all(test, loom)))]
impl WakerTable {
    // SAFETY: The functions uphold the contract for a live task.
    pub(in crate::task) const ORDINARY: Self = unsafe { Self::new(&VTABLE) };

    // SAFETY: As above. The function that clones does the same as `clone`, and records.
    pub(in crate::task) const RECORDING: Self = unsafe { Self::new(&RECORDING_VTABLE) };

    // SAFETY: The functions access no task.
    pub(in crate::task) const INERT: Self = unsafe { Self::new(&INERT_VTABLE) };
}

/// Returns `true` if this is the address of a vtable of the wakers of tasks.
#[cfg(not(loom))]
pub(in crate::task) fn is_of_tasks(vtable: usize) -> bool {
    #[cfg(feature = "inspect")]
    if std::ptr::from_ref(&RECORDING_VTABLE).addr() == vtable {
        return true;
    }
    std::ptr::from_ref(&VTABLE).addr() == vtable
}

/// A waker that borrows a reference. A poll creates one without counting it.
pub(in crate::task) struct BorrowedWaker<'a> {
    waker: ManuallyDrop<Waker>,
    _task: &'a RawTask,
}

impl<'a> BorrowedWaker<'a> {
    #[inline]
    pub(in crate::task) fn new(task: &'a RawTask, table: WakerTable) -> Self {
        let data = task.as_raw().as_ptr().cast_const().cast();
        // SAFETY: The functions of the vtable uphold the contract of `RawWaker`, for a live task.
        // The waker is never dropped, so it drops no reference.
        let waker = unsafe { Waker::new(data, table.get()) };
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
/// - The requirements of [`RawWakerVTable::new`] for `clone`.
#[cfg(any(feature = "inspect", all(test, loom)))]
unsafe fn clone_recorded(data: *const ()) -> RawWaker {
    clone_recorder::record();
    // SAFETY: The caller upholds it.
    unsafe { clone(data) }
}

/// Returns a waker that wakes nothing.
#[cfg(any(feature = "inspect", all(test, loom)))]
fn clone_inert(_: *const ()) -> RawWaker {
    clone_recorder::record();
    let waker = Waker::noop();
    RawWaker::new(waker.data(), waker.vtable())
}

#[cfg(any(feature = "inspect", all(test, loom)))]
fn do_nothing(_: *const ()) {}

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

/// Runs of tasks with ordinary wakers.
impl RawTask {
    /// Does the same as [`run_with`](Self::run_with).
    #[inline]
    pub(in crate::task) fn run(self, begin: impl FnOnce(&Self)) -> RawRunOutcome {
        self.run_with(WakerTable::ORDINARY, begin)
    }

    /// Does the same as [`run_inline_with`](Self::run_inline_with).
    #[inline]
    pub(in crate::task) fn run_inline(&self, begin: impl FnOnce()) -> Option<RawRunOutcome> {
        self.run_inline_with(WakerTable::ORDINARY, begin)
    }
}
