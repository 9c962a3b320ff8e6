//! The slot of the waker of whoever awaits the handle.
//!
//! Whose it is, is said by the `join_waker` bit of the state word (invariant I4 of
//! [the module](crate::task)): clear, the handle's, who alone may fill and empty it; set, nobody's to
//! write, until the task is complete, when the completer takes the waker out.
//!
//! The inspector wants to know who awaits the task, and owns nothing. So the slot is filled by
//! atomic steps, one address after the other, and a [`peek`](JoinWaker::peek) at them is no race.
//! What it sees may be of two wakers, or of one that is gone: addresses to compare, not to follow.

use crate::loom::cell::UnsafeCell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr;
use std::task::{RawWakerVTable, Waker};

/// Room for one waker.
#[doc(alias = "awaiter")]
pub(in crate::task) struct JoinWaker(UnsafeCell<WakerParts>);

/// A waker, or what is left of one that was moved out.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
struct WakerParts {
    data: *mut (),
    vtable: *mut RawWakerVTable,
}

// SAFETY: All access goes through unsafe methods, whose callers keep I4.
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
    /// - The slot is the caller's (I4), and empty.
    #[inline]
    pub(in crate::task) unsafe fn put(&self, waker: Waker) {
        let parts = WakerParts::of(&ManuallyDrop::new(waker));
        self.0.with_mut(|slot| {
            // SAFETY: The place is in the slot.
            let data = unsafe { &raw mut (*slot).data };
            // SAFETY: The slot is the caller's; others at most peek.
            unsafe { store(data, parts.data) };
            // SAFETY: As above.
            let vtable = unsafe { &raw mut (*slot).vtable };
            // SAFETY: As above.
            unsafe { store(vtable, parts.vtable) };
        });
    }

    /// Moves the waker out, which leaves the slot empty.
    ///
    /// # Safety
    ///
    /// - The slot is the caller's (I4), and holds a waker.
    #[inline]
    pub(in crate::task) unsafe fn take(&self) -> Waker {
        // SAFETY: The slot is the caller's.
        let parts = self.0.with(|slot| unsafe { slot.read() });
        // SAFETY: The table of a waker is there for ever.
        let vtable = unsafe { &*parts.vtable };
        // SAFETY: These are the parts of a waker, which nobody else will put together.
        unsafe { Waker::new(parts.data, vtable) }
    }

    /// True if the waker in the slot wakes the same task as `other`.
    ///
    /// # Safety
    ///
    /// - The caller has filled the slot, and the bit is set since: the completer may move the
    ///   waker out meanwhile, but nobody writes.
    #[inline]
    pub(in crate::task) unsafe fn will_wake(&self, other: &Waker) -> bool {
        // SAFETY: Nobody writes.
        let parts = self.0.with(|slot| unsafe { slot.read() });
        parts == WakerParts::of(other)
    }

    /// The addresses of what was last put there, which may be gone, or be of two wakers.
    #[cfg(not(loom))]
    pub(in crate::task) fn peek(&self) -> (usize, usize) {
        self.0.with(|slot| {
            let slot = slot.cast_mut();
            // SAFETY: The place is in the slot.
            let data = unsafe { &raw mut (*slot).data };
            // SAFETY: As above.
            let vtable = unsafe { &raw mut (*slot).vtable };
            // SAFETY: The places are there, and nobody writes but by atomic steps.
            let data = unsafe { load(data) };
            // SAFETY: As above.
            let vtable = unsafe { load(vtable) };
            (data.addr(), vtable.addr())
        })
    }
}

/// # Safety
///
/// - The place is the caller's to write; others may [`load`] meanwhile.
#[inline]
unsafe fn store<T>(place: *mut *mut T, value: *mut T) {
    #[cfg(not(any(loom, all(test, shuttle))))]
    {
        use crate::loom::sync::atomic::{AtomicPtr, Ordering};
        // SAFETY: The caller's promise; all other accesses at this time are atomic.
        let place = unsafe { AtomicPtr::from_ptr(place) };
        // ORDERING: Relaxed: the `join_waker` bit publishes the slot to whoever takes the waker.
        place.store(value, Ordering::Relaxed);
    }
    #[cfg(any(loom, all(test, shuttle)))]
    {
        // SAFETY: The caller's promise; nobody peeks in models, and shuttle has one thread.
        unsafe { place.write(value) };
    }
}

/// # Safety
///
/// - The place is there, and nobody writes it but by [`store`].
#[cfg(not(loom))]
unsafe fn load<T>(place: *mut *mut T) -> *mut T {
    #[cfg(not(all(test, shuttle)))]
    {
        use crate::loom::sync::atomic::{AtomicPtr, Ordering};
        // SAFETY: The caller's promise.
        let place = unsafe { AtomicPtr::from_ptr(place) };
        // ORDERING: Relaxed: an address to compare.
        place.load(Ordering::Relaxed)
    }
    #[cfg(all(test, shuttle))]
    {
        // SAFETY: The caller's promise; shuttle has one thread.
        unsafe { place.read() }
    }
}

impl fmt::Debug for JoinWaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JoinWaker")
    }
}
