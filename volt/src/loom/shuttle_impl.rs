//! The shim over shuttle.

pub(crate) mod sync {
    pub(crate) use super::super::mutex::{Condvar, Mutex, MutexGuard};
    pub(crate) use shuttle::sync::Arc;

    pub(crate) mod atomic {
        pub(crate) use shuttle::sync::atomic::{
            AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
        };
    }
}

/// The cell of the standard library. Only loom checks accesses to cells.
#[path = "std_cell.rs"]
pub(crate) mod cell;

pub(crate) mod hint {
    pub(crate) use shuttle::hint::spin_loop;
}

pub(crate) mod thread {
    pub(crate) use shuttle::thread::{
        Builder, JoinHandle, Thread, ThreadId, current, park, spawn, yield_now,
    };
}

/// Declares a thread-local of shuttle's threads.
macro_rules! thread_local_const {
    ($(#[$attr:meta])* $vis:vis static $name:ident: $ty:ty = $init:expr;) => {
        shuttle::thread_local! {
            $(#[$attr])*
            $vis static $name: $ty = $init;
        }
    };
}
pub(crate) use thread_local_const;
