//! Shared values without races.
//!
//! They are written by one owner, with its own order, or before another thread can reach them. They
//! are atomics so that a reference to them may be shared. An access costs as much as that of a
//! plain field. Loom does not record it.

use core::sync::atomic::{self, Ordering};

/// Declares a cell over an atomic.
macro_rules! cell {
    ($Cell:ident $(<$T:ident>)?, $Atomic:ident, $Value:ty) => {
        #[derive(Debug)]
        #[repr(transparent)]
        pub(crate) struct $Cell $(<$T>)? (atomic::$Atomic $(<$T>)?);

        impl $(<$T>)? $Cell $(<$T>)? {
            pub(crate) const fn new(value: $Value) -> Self {
                Self(atomic::$Atomic::new(value))
            }

            #[inline(always)]
            pub(crate) fn get(&self) -> $Value {
                // ORDERING: Relaxed: there is no race to order.
                self.0.load(Ordering::Relaxed)
            }

            #[inline(always)]
            pub(crate) fn set(&self, value: $Value) {
                // ORDERING: Relaxed: as above.
                self.0.store(value, Ordering::Relaxed);
            }
        }
    };
}

cell!(UnracedBool, AtomicBool, bool);
cell!(UnracedU32, AtomicU32, u32);
#[cfg(all(feature = "std", target_pointer_width = "64", not(loom)))]
cell!(UnracedUsize, AtomicUsize, usize);
cell!(UnracedPtr<T>, AtomicPtr, *mut T);

impl<T> UnracedPtr<T> {
    /// Sets the value, and publishes the memory that it points to; see
    /// [`published`](Self::published).
    #[cfg(feature = "alloc")]
    pub(crate) fn publish(&self, value: *mut T) {
        // ORDERING: Release pairs with the Acquire in `published`.
        self.0.store(value, Ordering::Release);
    }

    /// Returns the published value.
    pub(crate) fn published(&self) -> *mut T {
        // ORDERING: Acquire pairs with the Release in `publish`.
        self.0.load(Ordering::Acquire)
    }
}

impl UnracedU32 {
    /// Sets the value, and publishes the items that it counts.
    #[cfg(feature = "alloc")]
    pub(crate) fn publish(&self, value: u32) {
        // ORDERING: Release pairs with the Acquire in `published`.
        self.0.store(value, Ordering::Release);
    }

    /// Returns the published value.
    pub(crate) fn published(&self) -> u32 {
        // ORDERING: Acquire pairs with the Release in `publish`.
        self.0.load(Ordering::Acquire)
    }

    /// Sets the value, and returns the previous one.
    #[inline(always)]
    pub(crate) fn replace(&self, value: u32) -> u32 {
        let before = self.get();
        self.set(value);
        before
    }
}
