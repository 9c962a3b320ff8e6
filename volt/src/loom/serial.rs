//! Numbers of which no two are the same.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Counts from 1 on, for a static.
#[derive(Debug)]
pub(crate) struct Serial(AtomicU64);

impl Serial {
    /// It has given no number yet.
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// The next number.
    pub(crate) fn next(&self) -> u64 {
        // ORDERING: Relaxed: each addition is one step, and nothing else is read by it.
        self.0.fetch_add(1, Relaxed) + 1
    }
}
