//! Types of machines that announce themselves once, before there is a runtime or after.
//!
//! A machine that announces itself in the middle of its first poll must keep its registers during that call, and
//! then every poll saves them. So a first poll that finds that nobody was told does nothing else: it ends in a
//! jump to a function that tells, and polls again.
//!
//! What was told goes into a list, for a runtime that comes later. Either that one finds the type in the list, or
//! whoever tells finds the hook: both write first, fence, and then read.

use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use core::sync::atomic::{AtomicBool, AtomicPtr, fence};

use super::register::{Register, register_type};

/// Whether the runtime was told of a type of machines.
#[derive(Debug)]
pub struct RegisterOnce {
    register: extern "C" fn(),
    is_registered: AtomicBool,
    is_listed: AtomicBool,
    /// The one that was listed before.
    next: AtomicPtr<RegisterOnce>,
}

static LISTED: AtomicPtr<RegisterOnce> = AtomicPtr::new(ptr::null_mut());

impl RegisterOnce {
    /// Nobody was told of `M`.
    #[must_use]
    pub const fn new<M: Register>() -> Self {
        Self {
            register: register_type::<M>,
            is_registered: AtomicBool::new(false),
            is_listed: AtomicBool::new(false),
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Whether the runtime knows the type or will know it, or there is none in this build.
    #[inline]
    pub(super) fn is_registered(&self) -> bool {
        // ORDERING: Acquire, pairs with `register`: whoever polls the machine from here on may hand it to a thread
        // that looks at it.
        !cfg!(feature = "rt") || self.is_registered.load(Acquire)
    }

    /// Tells it.
    pub(super) fn register(&'static self) {
        if !self.is_listed.swap(true, Relaxed) {
            self.list();
        }
        // ORDERING: SeqCst, pairs with the fence of `register_pending`.
        fence(SeqCst);
        (self.register)();
        self.is_registered.store(true, Release);
    }

    fn list(&'static self) {
        let this = ptr::from_ref(self).cast_mut();
        let mut first = LISTED.load(Relaxed);
        loop {
            self.next.store(first, Relaxed);
            // ORDERING: Release, pairs with `register_pending`: `next` is written.
            match LISTED.compare_exchange_weak(first, this, Release, Relaxed) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }
}

/// Tells a runtime, which has set its hook, of all types that were listed before.
#[cfg(feature = "rt")]
pub(crate) fn register_pending() {
    // ORDERING: SeqCst, pairs with the fence of `register`: either it sees the hook, or we see its type.
    fence(SeqCst);
    let mut next = LISTED.load(Acquire);
    // SAFETY: only `list` writes these pointers, and all are of statics.
    while let Some(entry) = unsafe { next.as_ref() } {
        (entry.register)();
        next = entry.next.load(Relaxed);
    }
}
