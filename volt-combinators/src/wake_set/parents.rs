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

use alloc::boxed::Box;
use core::ptr;
use core::task::Waker;

use crate::loom::cell::UnsafeCell;
use crate::loom::sync::atomic::{AtomicPtr, Ordering};

/// The current waker of the parent, and its predecessors.
#[derive(Debug)]
pub(super) struct Parents {
    current: AtomicPtr<Parent>,
    /// Two places; a third waker at a time is boxed.
    inline: [Parent; 2],
}

/// A parent's waker, and the one it replaced.
#[derive(Debug)]
struct Parent {
    waker: UnsafeCell<Option<Waker>>,
    /// The owner's; atomic so that others may have a reference to the whole.
    older: AtomicPtr<Parent>,
}

impl Parent {
    fn new(waker: Option<Waker>) -> Self {
        Self {
            waker: UnsafeCell::new(waker),
            older: AtomicPtr::new(ptr::null_mut()),
        }
    }
}

impl Parents {
    /// It has to be [settled](Self::settle) before it is used.
    pub(super) fn new(waker: Waker) -> Self {
        Self {
            current: AtomicPtr::new(ptr::null_mut()),
            inline: [Some(waker), None].map(Parent::new),
        }
    }

    /// It stands where it stays.
    pub(super) fn settle(&self) {
        let first = ptr::from_ref(&self.inline[0]).cast_mut();
        // ORDERING: Relaxed: nobody else knows it yet.
        self.current.store(first, Ordering::Relaxed);
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
        // SAFETY: by contract it stays.
        let current = unsafe { &(*current).waker };
        current.with(|waker| {
            // SAFETY: I2: it is shared, and not written.
            let waker = unsafe { (*waker).as_ref() };
            waker.expect("there until the close").wake_by_ref();
        });
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
        let current = unsafe { &(*current).waker };
        current.with(|current| {
            // SAFETY: I2: it is shared, and not written.
            let current = unsafe { (*current).as_ref() };
            current.is_some_and(|current| current.will_wake(waker))
        })
    }

    /// Makes a waker the current one; the others stay behind it.
    ///
    /// # Safety
    ///
    /// - The caller is the owner.
    pub(super) unsafe fn replace(&self, waker: Waker) {
        let new = self.place_for(waker);
        // SAFETY: fresh, or empty until now.
        let older = unsafe { &(*new).older };
        // ORDERING: Relaxed: the owner's, both.
        older.store(self.current.load(Ordering::Relaxed), Ordering::Relaxed);
        // ORDERING: Release pairs with the Acquire in `wake`.
        self.current.store(new, Ordering::Release);
    }

    /// A place within if one is free, or a box.
    fn place_for(&self, waker: Waker) -> *mut Parent {
        for place in &self.inline {
            // SAFETY: I1: only the owner fills and empties places.
            let is_free = place.waker.with(|waker| unsafe { (*waker).is_none() });
            if is_free {
                // SAFETY: I3: nobody else looks at an empty place.
                place
                    .waker
                    .with_mut(|empty| unsafe { *empty = Some(waker) });
                return ptr::from_ref(place).cast_mut();
            }
        }
        Box::into_raw(Box::new(Parent::new(Some(waker))))
    }

    /// Drops all wakers but the current one.
    ///
    /// # Safety
    ///
    /// - The caller is the owner, and nobody looks at them.
    pub(super) unsafe fn drop_older(&self) {
        // ORDERING: Relaxed: the owner's, both.
        let current = self.current.load(Ordering::Relaxed);
        // SAFETY: the owner's.
        let older = unsafe { &(*current).older };
        let first = older.load(Ordering::Relaxed);
        older.store(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: forwarded contract.
        unsafe { self.drop_from(first) };
    }

    /// Drops all wakers.
    ///
    /// # Safety
    ///
    /// - Nobody looks at them or will, and what the owner did was acquired.
    pub(super) unsafe fn drop_all(&self) {
        // ORDERING: Relaxed: acquired by contract.
        let current = self.current.load(Ordering::Relaxed);
        // SAFETY: forwarded contract.
        unsafe { self.drop_from(current) };
    }

    /// # Safety
    ///
    /// - Nobody looks at this one or at those behind it.
    unsafe fn drop_from(&self, mut parent: *mut Parent) {
        while !parent.is_null() {
            // SAFETY: by contract it is ours.
            let Parent { waker, older } = unsafe { &*parent };
            // ORDERING: Relaxed: the owner's, or acquired by contract.
            let older = older.load(Ordering::Relaxed);
            // SAFETY: as above.
            let waker = waker.with_mut(|waker| unsafe { (*waker).take() });
            if !self.inline.iter().any(|place| ptr::eq(place, parent)) {
                // SAFETY: all others were boxed by `place_for`.
                drop(unsafe { Box::from_raw(parent) });
            }
            drop(waker);
            parent = older;
        }
    }
}
