//! `SuspendSlot`: the await at one suspend point of a coroutine.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The await at one suspend point of a coroutine, which the first machine that reaches it records.
///
/// Debuggers read the pointer, which is first.
#[doc(hidden)]
#[derive(Debug)]
#[repr(C)]
pub struct SuspendSlot {
    /// A pointer to a pointer to the state, or null if no machine has reached the suspend point.
    site: AtomicPtr<()>,
    /// The offset of the awaited future in the coroutine.
    offset: AtomicUsize,
}

impl SuspendSlot {
    /// Returns the slot of a suspend point that no machine has reached.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            site: AtomicPtr::new(ptr::null_mut()),
            offset: AtomicUsize::new(0),
        }
    }

    /// Returns the site and the offset of the awaited future, if they are recorded.
    #[inline]
    #[must_use]
    pub fn get(&self) -> Option<(*const (), usize)> {
        // ORDERING: Acquire, for the offset and the site that `set` has written before.
        let site = self.site.load(Ordering::Acquire);
        (!site.is_null()).then(|| (site.cast_const(), self.offset.load(Ordering::Relaxed)))
    }

    /// Returns `true` if a site is recorded.
    #[inline]
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.site.load(Ordering::Relaxed).is_null()
    }

    /// Records a site and an offset. All threads record the same values.
    pub fn set(&self, site: *const (), offset: usize) {
        self.offset.store(offset, Ordering::Relaxed);
        // ORDERING: Release, for `get`.
        self.site.store(site.cast_mut(), Ordering::Release);
    }
}

impl Default for SuspendSlot {
    fn default() -> Self {
        Self::new()
    }
}
