//! The shim over the standard library.

pub(crate) mod sync {
    #[cfg(any(feature = "std", all(test, feature = "alloc")))]
    pub(crate) use super::super::mutex::Mutex;
    #[cfg(feature = "alloc")]
    pub(crate) use alloc::sync::Arc;

    pub(crate) mod atomic {
        pub(crate) use core::sync::atomic::AtomicBool;
        #[cfg(target_has_atomic = "64")]
        pub(crate) use core::sync::atomic::AtomicU64;
        pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence};
    }
}

pub(crate) mod cell {
    /// A cell that passes its pointer to a closure, so that loom can record each access.
    #[derive(Debug)]
    #[repr(transparent)]
    pub(crate) struct UnsafeCell<T>(core::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        pub(crate) const fn new(value: T) -> Self {
            Self(core::cell::UnsafeCell::new(value))
        }

        /// Passes the pointer for a shared access.
        #[inline(always)]
        pub(crate) fn with<R>(&self, access: impl FnOnce(*const T) -> R) -> R {
            access(self.0.get())
        }

        /// Passes the pointer for an exclusive access.
        #[inline(always)]
        pub(crate) fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
            access(self.0.get())
        }
    }
}

#[cfg(feature = "alloc")]
pub(crate) mod alloc {
    pub(crate) use alloc::alloc::{alloc, dealloc};
}

pub(crate) mod thread {
    /// Returns a nonzero number that is unique among live threads. Returns 0 without `std`.
    #[inline(always)]
    pub(crate) fn mark() -> usize {
        #[cfg(feature = "std")]
        {
            std::thread_local! {
                static MARK: u8 = const { 0 };
            }
            MARK.with(|mark| core::ptr::from_ref(mark).addr())
        }
        #[cfg(not(feature = "std"))]
        0
    }
}
