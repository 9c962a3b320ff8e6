//! The shim over loom.

pub(crate) mod sync {
    pub(crate) use super::super::mutex::{Condvar, Mutex, MutexGuard};
    pub(crate) use loom::sync::Arc;

    pub(crate) mod atomic {
        pub(crate) use loom::sync::atomic::{
            AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
        };
    }
}

pub(crate) mod cell {
    pub(crate) use loom::cell::UnsafeCell;
}

pub(crate) mod hint {
    pub(crate) use loom::hint::spin_loop;
}

pub(crate) mod thread {
    pub(crate) use loom::thread::{
        Builder, JoinHandle, Thread, ThreadId, current, park, spawn, yield_now,
    };
}

/// Declares a thread-local of loom's threads.
macro_rules! thread_local_const {
    ($(#[$attr:meta])* $vis:vis static $name:ident: $ty:ty = $init:expr;) => {
        loom::thread_local! {
            $(#[$attr])*
            $vis static $name: $ty = $init;
        }
    };
}
pub(crate) use thread_local_const;
