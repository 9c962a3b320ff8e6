//! The waker that children wake, and those that it replaced.
//!
//! Whoever wakes the parent looks at its waker while he calls it, and may be at it for long: the
//! parent may even be polled inside of that call, with another waker. So a waker that is replaced
//! stays, behind the new one, until its owner knows that nobody looks at it any more.
//!
//! # Invariants
//!
//! - I1: There is one owner, who alone replaces; it may move between threads, with its own order.
//! - I2: Who is not the owner looks only at what was current when he began, or became so since.
//! - I3: A place that holds no waker is looked into by the owner only.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::ptr;
use core::task::Waker;

use crate::loom::cell::UnsafeCell;
use crate::loom::sync::atomic::{AtomicPtr, Ordering};
use crate::loom::{SettledPtr, const_unless_loom};

/// The current waker of the parent, and its predecessors.
#[derive(Debug)]
pub(super) struct Parents {
    current: AtomicPtr<Parent>,
    /// Two places; a third waker at a time is boxed, if there is an allocator.
    inline: [Parent; 2],
}

/// A parent's waker, and the one it replaced.
#[derive(Debug)]
struct Parent {
    waker: UnsafeCell<Option<Waker>>,
    /// The owner's.
    older: SettledPtr<Parent>,
}

impl Parent {
    const_unless_loom! {
        fn new() -> Self {
            Self {
                waker: UnsafeCell::new(None),
                older: SettledPtr::new(ptr::null_mut()),
            }
        }
    }
}

// SAFETY: wakers are thread-safe; who looks into a place, and when, is in I1 to I3.
unsafe impl Send for Parents {}
// SAFETY: as above.
unsafe impl Sync for Parents {}

impl Parents {
    const_unless_loom! {
        pub(super) fn new() -> Self {
            Self {
                current: AtomicPtr::new(ptr::null_mut()),
                inline: [Parent::new(), Parent::new()],
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

    /// A clone of the current waker, if there is one.
    ///
    /// # Safety
    ///
    /// - As of [`wake`](Self::wake).
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

    /// Whether there is no waker.
    pub(super) fn is_empty(&self) -> bool {
        // ORDERING: Relaxed: only the owner stores here.
        self.current.load(Ordering::Relaxed).is_null()
    }

    /// Whether the current waker wakes the same task.
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

    /// Makes a waker the current one; the others stay behind it. Returns false if there is no place
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

    /// A place within if one is free, or a box.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    unsafe fn place_for(&self, waker: Waker) -> Option<*mut Parent> {
        for place in &self.inline {
            // SAFETY: I1: only the owner fills and empties places.
            let is_free = place.waker.with(|waker| unsafe { (*waker).is_none() });
            if is_free {
                // SAFETY: I3: nobody else looks at an empty place.
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
    /// - The caller is the owner, and nobody looks at them.
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
    /// - Nobody looks at them or will, and what the owner did was acquired.
    pub(super) unsafe fn drop_all(&self) {
        // ORDERING: Relaxed: acquired by contract.
        let current = self.current.load(Ordering::Relaxed);
        self.current.store(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: forwarded contract.
        unsafe { self.drop_from(current) };
    }

    /// # Safety
    ///
    /// - Nobody looks at this one or at those behind it.
    unsafe fn drop_from(&self, mut parent: *mut Parent) {
        // SAFETY: by contract they are ours.
        while let Some(Parent { waker, older }) = unsafe { parent.as_ref() } {
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
fn boxed(waker: Waker) -> Option<*mut Parent> {
    let mut parent = Box::new(Parent::new());
    parent.waker = UnsafeCell::new(Some(waker));
    Some(Box::into_raw(parent))
}

#[cfg(not(feature = "alloc"))]
fn boxed(_waker: Waker) -> Option<*mut Parent> {
    None
}
