//! Values that are shared and never raced for.
//!
//! They are written by their one owner, who is told from its program's order, or before anybody
//! else knows of them. They are atomics so that a reference to them may be shared; reading or
//! writing one costs what it costs for a plain field. Loom does not look at them.

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

cell!(SettledBool, AtomicBool, bool);
cell!(SettledU32, AtomicU32, u32);
cell!(SettledPtr<T>, AtomicPtr, *mut T);

impl<T> SettledPtr<T> {
    /// As [`set`](Self::set), for others who [look](Self::published) at what it points to.
    #[cfg(feature = "alloc")]
    pub(crate) fn publish(&self, value: *mut T) {
        // ORDERING: Release pairs with the Acquire in `published`.
        self.0.store(value, Ordering::Release);
    }

    /// What was published last.
    pub(crate) fn published(&self) -> *mut T {
        // ORDERING: Acquire pairs with the Release in `publish`.
        self.0.load(Ordering::Acquire)
    }
}

impl SettledU32 {
    /// As [`set`](Self::set), for others who look at what it counts.
    #[cfg(feature = "alloc")]
    pub(crate) fn publish(&self, value: u32) {
        // ORDERING: Release pairs with the Acquire in `published`.
        self.0.store(value, Ordering::Release);
    }

    /// What was published last.
    pub(crate) fn published(&self) -> u32 {
        // ORDERING: Acquire pairs with the Release in `publish`.
        self.0.load(Ordering::Acquire)
    }

    /// Sets it; returns what it was.
    #[inline(always)]
    pub(crate) fn replace(&self, value: u32) -> u32 {
        let before = self.get();
        self.set(value);
        before
    }
}
