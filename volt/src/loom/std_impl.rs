//! The shim over the standard library.

pub(crate) mod sync {
    pub(crate) use super::super::mutex::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::sync::Arc;

    pub(crate) mod atomic {
        pub(crate) use std::sync::atomic::{
            AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
        };

        /// The fence for processors whose atomic steps are full barriers, see the idle set.
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        pub(crate) use std::sync::atomic::compiler_fence;
    }
}

#[path = "std_cell.rs"]
pub(crate) mod cell;

pub(crate) mod hint {
    pub(crate) use std::hint::spin_loop;
}

pub(crate) mod thread {
    pub(crate) use std::thread::{Builder, JoinHandle, Thread, ThreadId, current, park, yield_now};

    #[cfg(test)]
    pub(crate) use std::thread::spawn;
}

/// Declares a thread-local with a constant initial value.
macro_rules! thread_local_const {
    ($(#[$attr:meta])* $vis:vis static $name:ident: $ty:ty = $init:expr;) => {
        std::thread_local! {
            $(#[$attr])*
            $vis static $name: $ty = const { $init };
        }
    };
}
pub(crate) use thread_local_const;
