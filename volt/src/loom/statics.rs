//! Atomics of the standard library for statics, which outlive each run of a model.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A flag of a static that is set once and is never cleared.
#[derive(Debug)]
pub(crate) struct StickyFlag(AtomicBool);

impl StickyFlag {
    /// Creates a clear flag.
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Sets the flag.
    pub(crate) fn set(&self) {
        // ORDERING: Relaxed, as the load: the caller orders the data that the flag describes.
        self.0.store(true, Relaxed);
    }

    /// Returns `true` if the flag is set.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// A counter of a static, whose numbers are unique in the process.
#[derive(Debug)]
pub(crate) struct IdCounter(AtomicU64);

impl IdCounter {
    /// Creates a counter whose first number is 1.
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Returns the next number.
    pub(crate) fn next(&self) -> u64 {
        // ORDERING: Relaxed: each addition is one atomic step, and publishes nothing else.
        self.0.fetch_add(1, Relaxed) + 1
    }
}
