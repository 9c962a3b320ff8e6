//! A barrier of tasks, each of which occupies its worker.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A barrier that can be passed several times.
#[derive(Debug)]
pub(super) struct Gate {
    size: usize,
    arrived: AtomicUsize,
    opened: AtomicUsize,
}

impl Gate {
    /// Returns a barrier of so many threads.
    pub(super) fn new(size: usize) -> Self {
        Self {
            size,
            arrived: AtomicUsize::new(0),
            opened: AtomicUsize::new(0),
        }
    }

    /// Waits for the others. The last thread calls the function before it lets the others go.
    pub(super) fn pass(&self, last: impl FnOnce()) {
        let opened = self.opened.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.size * (opened + 1) {
            last();
            self.opened.store(opened + 1, Ordering::Release);
        }
        while self.opened.load(Ordering::Acquire) == opened {
            std::thread::yield_now();
        }
    }
}

/// Calls [`region`](super::marks::region) when all parts have ended.
#[derive(Debug)]
pub(super) struct Countdown(AtomicUsize);

impl Countdown {
    /// Returns a counter of so many parts.
    pub(super) fn new(parts: usize) -> Self {
        Self(AtomicUsize::new(parts))
    }

    /// Ends one part.
    pub(super) fn end_part(&self) {
        if self.0.fetch_sub(1, Ordering::AcqRel) == 1 {
            super::marks::region();
        }
    }
}
