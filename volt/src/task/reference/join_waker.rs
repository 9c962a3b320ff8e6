//! The slot for the waker of the task that awaits the handle.
//!
//! The `join_waker` bit of the state word determines the owner of the slot (invariant I4 of
//! `task/word`). While it is clear, only the handle may fill and empty the slot. While it is set,
//! no thread writes the slot until the task is complete; then the completing thread takes the
//! waker.
//!
//! An inspector reads the slot without owning it, to find the awaiting task. So the handle stores
//! both addresses by atomic steps, and a [`peek`](JoinWaker::peek) is no data race. The two
//! addresses may be those of two wakers, or of a dropped one. They may be compared, but not
//! dereferenced.

use crate::loom::cell::UnsafeCell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr;
use std::task::{RawWakerVTable, Waker};

/// A slot for one waker.
#[doc(alias = "awaiter")]
pub(in crate::task) struct JoinWaker(UnsafeCell<WakerParts>);

/// The fields of a waker, or those of one that was moved out.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
struct WakerParts {
    data: *mut (),
    vtable: *mut RawWakerVTable,
}

// SAFETY: All access goes through unsafe methods, whose callers uphold I4.
unsafe impl Sync for JoinWaker {}
// SAFETY: A `Waker` is `Send`.
unsafe impl Send for JoinWaker {}

impl WakerParts {
    #[inline]
    fn of(waker: &Waker) -> Self {
        Self {
            data: waker.data().cast_mut(),
            vtable: ptr::from_ref(waker.vtable()).cast_mut(),
        }
    }
}

impl JoinWaker {
    pub(in crate::task) fn new() -> Self {
        Self(UnsafeCell::new(WakerParts {
            data: ptr::null_mut(),
            vtable: ptr::null_mut(),
        }))
    }

    /// Fills the slot.
    ///
    /// # Safety
    ///
    /// - The slot belongs to the caller (I4), and is empty.
    #[inline]
    pub(in crate::task) unsafe fn put(&self, waker: Waker) {
        let parts = WakerParts::of(&ManuallyDrop::new(waker));
        self.0.with_mut(|slot| {
            // SAFETY: The place is in the slot.
            let data = unsafe { &raw mut (*slot).data };
            // SAFETY: The slot belongs to the caller; other threads only peek.
            unsafe { store(data, parts.data) };
            // SAFETY: As above.
            let vtable = unsafe { &raw mut (*slot).vtable };
            // SAFETY: As above.
            unsafe { store(vtable, parts.vtable) };
        });
    }

    /// Moves the waker out, and leaves the slot empty.
    ///
    /// # Safety
    ///
    /// - The slot belongs to the caller (I4), and contains a waker.
    #[inline]
    pub(in crate::task) unsafe fn take(&self) -> Waker {
        // SAFETY: The slot belongs to the caller.
        let parts = self.0.with(|slot| unsafe { slot.read() });
        // SAFETY: The vtable of a waker is static.
        let vtable = unsafe { &*parts.vtable };
        // SAFETY: These are the fields of a waker that was moved into the slot, and are used once.
        unsafe { Waker::new(parts.data, vtable) }
    }

    /// Returns `true` if the waker in the slot wakes the same task as `other`.
    ///
    /// # Safety
    ///
    /// - The caller has filled the slot, and has set the bit. The completing thread may move the
    ///   waker out meanwhile, but no thread writes.
    #[inline]
    pub(in crate::task) unsafe fn will_wake(&self, other: &Waker) -> bool {
        // SAFETY: No thread writes.
        let parts = self.0.with(|slot| unsafe { slot.read() });
        parts == WakerParts::of(other)
    }

    /// Returns the addresses of the last stored waker, which may be dropped, or of two wakers.
    #[cfg(not(loom))]
    pub(in crate::task) fn peek(&self) -> (usize, usize) {
        self.0.with(|slot| {
            let slot = slot.cast_mut();
            // SAFETY: The place is in the slot.
            let data = unsafe { &raw mut (*slot).data };
            // SAFETY: As above.
            let vtable = unsafe { &raw mut (*slot).vtable };
            // SAFETY: The fields are in the slot, and all writes are atomic.
            let data = unsafe { load(data) };
            // SAFETY: As above.
            let vtable = unsafe { load(vtable) };
            (data.addr(), vtable.addr())
        })
    }
}

/// # Safety
///
/// - The caller may write to `place`; other threads only [`load`] it meanwhile.
#[inline]
unsafe fn store<T>(place: *mut *mut T, value: *mut T) {
    #[cfg(not(any(loom, all(test, shuttle))))]
    {
        use crate::loom::sync::atomic::{AtomicPtr, Ordering};
        // SAFETY: The caller upholds it; all other accesses at this time are atomic.
        let place = unsafe { AtomicPtr::from_ptr(place) };
        // ORDERING: Relaxed: the `join_waker` bit publishes the slot to the thread that takes the
        // waker.
        place.store(value, Ordering::Relaxed);
    }
    #[cfg(any(loom, all(test, shuttle)))]
    {
        // SAFETY: The caller upholds it. Models never peek, and shuttle runs on one thread.
        unsafe { place.write(value) };
    }
}

/// # Safety
///
/// - `place` is valid, and only [`store`] writes it.
#[cfg(not(loom))]
unsafe fn load<T>(place: *mut *mut T) -> *mut T {
    #[cfg(not(all(test, shuttle)))]
    {
        use crate::loom::sync::atomic::{AtomicPtr, Ordering};
        // SAFETY: The caller upholds it.
        let place = unsafe { AtomicPtr::from_ptr(place) };
        // ORDERING: Relaxed: an address to compare.
        place.load(Ordering::Relaxed)
    }
    #[cfg(all(test, shuttle))]
    {
        // SAFETY: The caller upholds it. Shuttle runs on one thread.
        unsafe { place.read() }
    }
}

impl fmt::Debug for JoinWaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JoinWaker")
    }
}
