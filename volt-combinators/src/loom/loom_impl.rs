//! The shim over loom.

pub(crate) mod sync {
    #[cfg(feature = "std")]
    pub(crate) use super::super::mutex::Mutex;
    #[cfg(feature = "alloc")]
    pub(crate) use loom::sync::Arc;

    pub(crate) mod atomic {
        pub(crate) use loom::sync::atomic::AtomicBool;
        pub(crate) use loom::sync::atomic::{
            AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
        };
    }
}

pub(crate) mod cell {
    pub(crate) use loom::cell::UnsafeCell;
}

pub(crate) mod alloc {
    pub(crate) use loom::alloc::{alloc, dealloc};
}

pub(crate) mod thread {
    loom::thread_local! {
        static MARK: u64 = 0;
    }

    pub(crate) fn mark() -> usize {
        MARK.with(|mark| core::ptr::from_ref(mark).addr())
    }
}
