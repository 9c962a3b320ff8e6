//! An `Arc` whose references are counted in batches.
//!
//! A task may call its scheduler while the task is allocated, so it keeps the scheduler alive. If
//! the `Arc` counted each task, every spawn and every completion would write to one cache line. So
//! tasks have references of another kind. A worker takes and returns them in batches. In between,
//! it moves references from completed tasks to new tasks, without a shared write.
//!
//! # Invariants
//!
//! - I1: the count includes all references, whether a task has them or they are spare. While it is
//!   not zero, one strong count of the `Arc` represents all of them, or a thread that has the `Arc`
//!   is about to add it.
//! - I2: a thread that creates references has the `Arc`, and adds the strong count if there were no
//!   references before. Until then these references are not released, so the count stays above
//!   zero.
//! - I3: the thread that releases the last reference releases that strong count.

use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

use crossbeam_utils::CachePadded;

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::{AcqRel, Relaxed};

/// The number of references that are created or released at once.
const BATCH: usize = 64;

/// A type to which a [`BatchedArc`] can refer.
pub(super) trait RefCounted: Sized {
    /// Returns the count.
    fn batched_count(&self) -> &BatchedCount;

    /// Calls `access` with this thread's cache of references, if it has one.
    fn with_ref_cache<R>(&self, access: impl FnOnce(&mut RefCache) -> R) -> Option<R>;
}

/// The number of all references to one value.
#[derive(Debug)]
pub(super) struct BatchedCount(CachePadded<AtomicUsize>);

/// Unused references to one value. [`RefCache::clear`] releases them.
#[derive(Debug)]
pub(super) struct RefCache(usize);

/// One reference, which keeps the value alive.
pub(super) struct BatchedArc<T: RefCounted>(NonNull<T>);

// SAFETY: it is a shared reference with a count, as an `Arc` is.
unsafe impl<T: RefCounted + Send + Sync> Send for BatchedArc<T> {}
// SAFETY: for the same reason.
unsafe impl<T: RefCounted + Send + Sync> Sync for BatchedArc<T> {}

impl BatchedCount {
    pub(super) fn new() -> Self {
        Self(CachePadded::new(AtomicUsize::new(0)))
    }
}

/// Creates references, which the caller must release with [`release_refs`].
fn make<T: RefCounted>(at: &Arc<T>, count: usize) {
    // ORDERING: Relaxed: the caller has the `Arc`, and only adds references.
    if at.batched_count().0.fetch_add(count, Relaxed) == 0 {
        // I2: this strong count represents all of them.
        let _ = Arc::into_raw(Arc::clone(at));
    }
}

/// Returns the address that `Arc::from_raw` accepts.
#[inline]
fn address<T>(at: &Arc<T>) -> NonNull<T> {
    NonNull::new(Arc::as_ptr(at).cast_mut()).expect("an `Arc` is not null")
}

/// Releases `count` references.
///
/// # Safety
///
/// The caller must own `count` references to the value, and must not use them again.
unsafe fn release_refs<T: RefCounted>(at: NonNull<T>, count: usize) {
    // SAFETY: the value is alive while there are references to it.
    let batched_count = unsafe { &(*at.as_ptr()).batched_count().0 };
    // ORDERING: AcqRel: the last release follows all accesses through the others.
    if batched_count.fetch_sub(count, AcqRel) == count {
        // SAFETY: I3: the strong count is ours, and came from `Arc::into_raw`.
        drop(unsafe { Arc::from_raw(at.as_ptr()) });
    }
}

impl RefCache {
    pub(super) fn new() -> Self {
        Self(0)
    }

    #[inline]
    fn take<T: RefCounted>(&mut self, at: &Arc<T>) {
        if self.0 == 0 {
            make(at, BATCH);
            self.0 = BATCH;
        }
        self.0 -= 1;
    }

    /// Releases all references. The value must be the one for which [`RefCounted::with_ref_cache`]
    /// returns this cache.
    pub(super) fn clear<T: RefCounted>(&mut self, at: &Arc<T>) {
        let count = std::mem::take(&mut self.0);
        if count > 0 {
            // SAFETY: the cache owned them.
            unsafe { release_refs(address(at), count) };
        }
    }
}

impl<T: RefCounted> BatchedArc<T> {
    #[inline]
    pub(super) fn new(at: &Arc<T>) -> Self {
        if at.with_ref_cache(|ref_cache| ref_cache.take(at)).is_none() {
            make(at, 1);
        }
        Self(address(at))
    }
}

impl<T: RefCounted> BatchedArc<T> {
    /// Returns the `Arc` itself.
    pub(super) fn to_arc(&self) -> Arc<T> {
        // SAFETY: I1: a strong count represents our reference.
        unsafe { Arc::increment_strong_count(self.0.as_ptr()) };
        // SAFETY: it is the count that was just added.
        unsafe { Arc::from_raw(self.0.as_ptr()) }
    }
}

impl<T: RefCounted> Deref for BatchedArc<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: I1: our reference counts.
        unsafe { self.0.as_ref() }
    }
}

impl<T: RefCounted> Drop for BatchedArc<T> {
    #[inline]
    fn drop(&mut self) {
        let surplus = self.with_ref_cache(|ref_cache| {
            ref_cache.0 += 1;
            let surplus = if ref_cache.0 > 2 * BATCH { BATCH } else { 0 };
            ref_cache.0 -= surplus;
            surplus
        });
        let count = surplus.unwrap_or(1);
        if count > 0 {
            // SAFETY: we own them: this reference, or as many spare ones.
            unsafe { release_refs(self.0, count) };
        }
    }
}

impl<T: RefCounted> fmt::Debug for BatchedArc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BatchedArc").field(&self.0).finish()
    }
}

#[cfg(test)]
#[path = "batched_arc_tests.rs"]
mod tests;
