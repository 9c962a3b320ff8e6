//! The slot of the waker of whoever awaits the handle.
//!
//! Whose it is, is said by the `join_waker` bit of the state word (invariant I4 of
//! [the module](super)): clear, the handle's, who alone may fill and empty it; set, nobody's to
//! write, until the task is complete, when the completer takes the waker out.

use crate::loom::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;
use std::task::Waker;

/// Room for one waker.
pub(super) struct JoinWaker(UnsafeCell<MaybeUninit<Waker>>);

// SAFETY: All access goes through unsafe methods, whose callers keep I4.
unsafe impl Sync for JoinWaker {}
// SAFETY: A `Waker` is `Send`.
unsafe impl Send for JoinWaker {}

impl JoinWaker {
    pub(super) fn new() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// Fills the slot.
    ///
    /// # Safety
    ///
    /// - The slot is the caller's (I4), and empty.
    #[inline]
    pub(super) unsafe fn put(&self, waker: Waker) {
        self.0.with_mut(|slot| {
            // SAFETY: The slot is the caller's.
            unsafe { slot.write(MaybeUninit::new(waker)) };
        });
    }

    /// Moves the waker out, which leaves the slot empty.
    ///
    /// # Safety
    ///
    /// - The slot is the caller's (I4), and holds a waker.
    #[inline]
    pub(super) unsafe fn take(&self) -> Waker {
        self.0.with(|slot| {
            // SAFETY: The slot is the caller's.
            let waker = unsafe { slot.read() };
            // SAFETY: It holds a waker.
            unsafe { waker.assume_init() }
        })
    }

    /// True if the waker in the slot wakes the same task as `other`.
    ///
    /// # Safety
    ///
    /// - The caller has filled the slot, and the bit is set since: the completer may move the
    ///   waker out meanwhile, but nobody writes.
    #[inline]
    pub(super) unsafe fn will_wake(&self, other: &Waker) -> bool {
        self.0.with(|slot| {
            // SAFETY: Nobody writes.
            let waker = unsafe { &*slot };
            // SAFETY: It was filled. Of a waker that was moved out, the two addresses are
            // still there, and `will_wake` compares nothing else.
            unsafe { waker.assume_init_ref() }.will_wake(other)
        })
    }
}

impl fmt::Debug for JoinWaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JoinWaker")
    }
}
