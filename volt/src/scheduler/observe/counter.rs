//! `Counter`: a number in the statistics of a worker.

use crate::loom::sync::atomic::AtomicU64;
use crate::loom::sync::atomic::Ordering::Relaxed;

/// A number that one thread writes and all may read, so it needs no read-modify-write.
#[derive(Debug)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Adds `amount`. Only the writer may call this.
    #[inline]
    pub(crate) fn add(&self, amount: u64) {
        // ORDERING: Relaxed: a statistic, which orders no other access.
        self.0.store(self.get().wrapping_add(amount), Relaxed);
    }

    /// Subtracts 1. Only the writer may call this.
    pub(crate) fn decrement(&self) {
        // ORDERING: Relaxed, for the same reason.
        self.0.store(self.get().saturating_sub(1), Relaxed);
    }

    /// Stores `value`. Only the writer may call this.
    #[inline]
    pub(crate) fn set(&self, value: u64) {
        // ORDERING: Relaxed, for the same reason.
        self.0.store(value, Relaxed);
    }

    #[inline]
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
