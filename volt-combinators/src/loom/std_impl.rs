//! The shim over the standard library.

pub(crate) mod sync {
    #[cfg(feature = "std")]
    pub(crate) use super::super::mutex::Mutex;
    #[cfg(feature = "std")]
    pub(crate) use std::sync::Arc;

    pub(crate) mod atomic {
        #[cfg(feature = "std")]
        pub(crate) use core::sync::atomic::AtomicBool;
        pub(crate) use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering, fence};
    }
}

pub(crate) mod cell {
    /// A cell that lends its pointer to a closure, so that loom can watch each access.
    #[derive(Debug)]
    #[repr(transparent)]
    pub(crate) struct UnsafeCell<T>(core::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        pub(crate) const fn new(value: T) -> Self {
            Self(core::cell::UnsafeCell::new(value))
        }

        /// Lends the pointer for an exclusive access.
        #[inline(always)]
        pub(crate) fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
            access(self.0.get())
        }
    }
}

pub(crate) mod alloc {
    pub(crate) use alloc::alloc::{alloc, dealloc};
}
