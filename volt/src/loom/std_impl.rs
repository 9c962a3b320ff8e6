//! The shim over the standard library.

pub(crate) mod sync {
    pub(crate) use super::super::mutex::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::sync::Arc;

    pub(crate) mod atomic {
        pub(crate) use std::sync::atomic::{
            AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
        };
    }
}

pub(crate) mod cell {
    /// A cell that lends its pointer to a closure, so that loom can watch each access.
    #[derive(Debug)]
    #[repr(transparent)]
    pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        pub(crate) const fn new(value: T) -> Self {
            Self(std::cell::UnsafeCell::new(value))
        }

        /// Lends the pointer for a shared access.
        #[inline(always)]
        pub(crate) fn with<R>(&self, access: impl FnOnce(*const T) -> R) -> R {
            access(self.0.get())
        }

        /// Lends the pointer for an exclusive access.
        #[inline(always)]
        pub(crate) fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
            access(self.0.get())
        }
    }
}

pub(crate) mod hint {
    pub(crate) use std::hint::spin_loop;
}

pub(crate) mod thread {
    pub(crate) use std::thread::{Builder, JoinHandle, Thread, ThreadId, current, park, yield_now};

    #[cfg(test)]
    pub(crate) use std::thread::spawn;
}

/// Declares a thread-local whose first value is a constant.
macro_rules! thread_local_const {
    ($(#[$attr:meta])* $vis:vis static $name:ident: $ty:ty = $init:expr;) => {
        std::thread_local! {
            $(#[$attr])*
            $vis static $name: $ty = const { $init };
        }
    };
}
pub(crate) use thread_local_const;
