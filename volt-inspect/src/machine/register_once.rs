//! Registration of a type of machines, once, whether a runtime exists already or is created later.
//!
//! A machine that registered itself in the middle of its first poll would have to save registers
//! around that call, and so would every poll. So a first poll of an unregistered type does nothing
//! else. It ends in a jump to a function that registers the type and polls again.
//!
//! Registered types form a list, for a runtime that is created later. Either that runtime finds the
//! type in the list, or the registering thread finds the hook: both write first, execute a fence,
//! and then read.

use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use core::sync::atomic::{AtomicBool, AtomicPtr, fence};

use super::register::{Register, register_type};

/// The registration of one type of machines.
#[derive(Debug)]
pub struct RegisterOnce {
    register: extern "C" fn(),
    is_registered: AtomicBool,
    is_listed: AtomicBool,
    /// The entry that was added before this one.
    next: AtomicPtr<RegisterOnce>,
}

static LISTED: AtomicPtr<RegisterOnce> = AtomicPtr::new(ptr::null_mut());

impl RegisterOnce {
    /// Returns an entry for `M`, which is not registered yet.
    #[must_use]
    pub const fn new<M: Register>() -> Self {
        Self {
            register: register_type::<M>,
            is_registered: AtomicBool::new(false),
            is_listed: AtomicBool::new(false),
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Returns `true` if the runtime knows the type or will know it.
    #[inline]
    #[must_use]
    pub fn is_registered(&self) -> bool {
        // ORDERING: Acquire, pairs with `register`: a thread that polls the machine from here on
        // may pass it to a thread that traces it.
        self.is_registered.load(Acquire)
    }

    /// Registers the type.
    pub fn register(&'static self) {
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

/// Passes all types that were listed before to a runtime, which has set its hook.
pub fn register_pending() {
    // ORDERING: SeqCst, pairs with the fence of `register`: either that thread sees the hook, or
    // this one sees its type.
    fence(SeqCst);
    let mut next = LISTED.load(Acquire);
    // SAFETY: only `list` writes these pointers, and all are of statics.
    while let Some(entry) = unsafe { next.as_ref() } {
        (entry.register)();
        next = entry.next.load(Relaxed);
    }
}
