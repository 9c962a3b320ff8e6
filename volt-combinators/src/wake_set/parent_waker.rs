//! The waker of the parent, and the wakers that it replaced.
//!
//! A thread that wakes the parent uses its waker for the whole call, which can be long: the parent
//! may even be polled during that call, with another waker. So a replaced waker is kept in a list
//! until its owner knows that no thread uses it.
//!
//! # Invariants
//!
//! - I1: Only the owner replaces wakers. It may move between threads, with its own order.
//! - I2: Other threads read only a waker that is current when they begin, or became current since.
//! - I3: Only the owner reads a place without a waker.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::ptr;
use core::task::Waker;

use crate::loom::cell::UnsafeCell;
use crate::loom::sync::atomic::{AtomicPtr, Ordering};
use crate::loom::{UnracedPtr, const_unless_loom};

/// The current waker of the parent, and its predecessors.
#[derive(Debug)]
pub(super) struct ParentWaker {
    current: AtomicPtr<ParentWakerNode>,
    /// Two places; a third waker at a time is boxed, if there is an allocator.
    inline: [ParentWakerNode; 2],
}

/// A parent's waker, and the one it replaced.
#[derive(Debug)]
struct ParentWakerNode {
    waker: UnsafeCell<Option<Waker>>,
    /// Used by the owner only.
    older: UnracedPtr<ParentWakerNode>,
}

impl ParentWakerNode {
    const_unless_loom! {
        fn new() -> Self {
            Self {
                waker: UnsafeCell::new(None),
                older: UnracedPtr::new(ptr::null_mut()),
            }
        }
    }
}

// SAFETY: wakers are thread-safe; I1 to I3 order the accesses to a place.
unsafe impl Send for ParentWaker {}
// SAFETY: as above.
unsafe impl Sync for ParentWaker {}

impl ParentWaker {
    const_unless_loom! {
        pub(super) fn new() -> Self {
            Self {
                current: AtomicPtr::new(ptr::null_mut()),
                inline: [ParentWakerNode::new(), ParentWakerNode::new()],
            }
        }
    }

    /// Wakes the parent.
    ///
    /// # Safety
    ///
    /// - Nothing is dropped that is current now or later, until this returns.
    #[inline]
    pub(super) unsafe fn wake(&self) {
        // ORDERING: Acquire pairs with the Release in `replace`: the waker is there.
        let current = self.current.load(Ordering::Acquire);
        // SAFETY: by contract it stays, or there was none yet.
        let Some(current) = (unsafe { current.as_ref() }) else {
            return;
        };
        current.waker.with(|waker| {
            // SAFETY: I2: it is shared, and not written.
            if let Some(waker) = unsafe { &*waker } {
                waker.wake_by_ref();
            }
        });
    }

    /// Returns a clone of the current waker, if there is one.
    ///
    /// # Safety
    ///
    /// - As for [`wake`](Self::wake).
    pub(super) unsafe fn current(&self) -> Option<Waker> {
        // ORDERING: as in `wake`.
        let current = self.current.load(Ordering::Acquire);
        // SAFETY: by contract it stays, or there was none yet.
        let current = unsafe { current.as_ref() }?;
        current.waker.with(|waker| {
            // SAFETY: I2: it is shared, and not written.
            unsafe { (*waker).clone() }
        })
    }

    /// Returns `true` if there is no waker.
    pub(super) fn is_empty(&self) -> bool {
        // ORDERING: Relaxed: only the owner stores here.
        self.current.load(Ordering::Relaxed).is_null()
    }

    /// Returns `true` if the current waker wakes the same task.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    #[inline]
    pub(super) unsafe fn is_same(&self, waker: &Waker) -> bool {
        // ORDERING: Relaxed: only the owner stores here.
        let current = self.current.load(Ordering::Relaxed);
        // SAFETY: only the owner replaces and drops what is current.
        let Some(current) = (unsafe { current.as_ref() }) else {
            return false;
        };
        current.waker.with(|current| {
            // SAFETY: I2: it is shared, and not written.
            let current = unsafe { (*current).as_ref() };
            current.is_some_and(|current| current.will_wake(waker))
        })
    }

    /// Makes a waker the current one, and keeps the others. Returns `false` if there is no place
    /// for it.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    pub(super) unsafe fn replace(&self, waker: Waker) -> bool {
        // SAFETY: forwarded contract.
        let Some(new) = (unsafe { self.place_for(waker) }) else {
            return false;
        };
        // SAFETY: fresh, or empty until now.
        let older = unsafe { &(*new).older };
        // ORDERING: Relaxed: the owner's.
        older.set(self.current.load(Ordering::Relaxed));
        // ORDERING: Release pairs with the Acquire in `wake`.
        self.current.store(new, Ordering::Release);
        true
    }

    /// Returns an inline place if one is free, or a boxed one.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    unsafe fn place_for(&self, waker: Waker) -> Option<*mut ParentWakerNode> {
        for place in &self.inline {
            // SAFETY: I1: only the owner fills and empties places.
            let is_free = place.waker.with(|waker| unsafe { (*waker).is_none() });
            if is_free {
                // SAFETY: I3: no other thread reads an empty place.
                place
                    .waker
                    .with_mut(|empty| unsafe { *empty = Some(waker) });
                return Some(ptr::from_ref(place).cast_mut());
            }
        }
        boxed(waker)
    }

    /// Drops all wakers but the current one.
    ///
    /// # Safety
    ///
    /// - The caller is the owner, and no thread uses them.
    pub(super) unsafe fn drop_older(&self) {
        // ORDERING: Relaxed: only the owner stores here.
        let current = self.current.load(Ordering::Relaxed);
        // SAFETY: only the owner drops what is current.
        if let Some(current) = unsafe { current.as_ref() } {
            let first = current.older.get();
            current.older.set(ptr::null_mut());
            // SAFETY: forwarded contract.
            unsafe { self.drop_from(first) };
        }
    }

    /// Drops all wakers.
    ///
    /// # Safety
    ///
    /// - No thread uses them now or later, and the owner's writes were acquired.
    pub(super) unsafe fn drop_all(&self) {
        // ORDERING: Relaxed: acquired by contract.
        let current = self.current.load(Ordering::Relaxed);
        self.current.store(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: forwarded contract.
        unsafe { self.drop_from(current) };
    }

    /// # Safety
    ///
    /// - No thread uses this waker or an older one.
    unsafe fn drop_from(&self, mut parent: *mut ParentWakerNode) {
        // SAFETY: by contract they are ours.
        while let Some(ParentWakerNode { waker, older }) = unsafe { parent.as_ref() } {
            let older = older.get();
            // SAFETY: as above.
            let waker = waker.with_mut(|waker| unsafe { (*waker).take() });
            #[cfg(feature = "alloc")]
            if !self.inline.iter().any(|place| ptr::eq(place, parent)) {
                // SAFETY: all others were boxed.
                drop(unsafe { Box::from_raw(parent) });
            }
            drop(waker);
            parent = older;
        }
    }
}

#[cfg(feature = "alloc")]
fn boxed(waker: Waker) -> Option<*mut ParentWakerNode> {
    let mut parent = Box::new(ParentWakerNode::new());
    parent.waker = UnsafeCell::new(Some(waker));
    Some(Box::into_raw(parent))
}

#[cfg(not(feature = "alloc"))]
fn boxed(_waker: Waker) -> Option<*mut ParentWakerNode> {
    None
}
