//! What has happened once in this process.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// A flag for a static, which is set once and stays set.
#[derive(Debug)]
pub(crate) struct Lasting(AtomicBool);

impl Lasting {
    /// It is not set.
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Sets it for good.
    pub(crate) fn set(&self) {
        // ORDERING: Relaxed, as of the load: the caller orders what it belongs to.
        self.0.store(true, Relaxed);
    }

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }
}
