//! An `Arc` whose references come and go in batches.
//!
//! A task may call its scheduler while it is allocated, so it keeps the scheduler alive. If each
//! task were counted in the scheduler's `Arc`, every spawn and every end would write to one cache
//! line. So tasks hold references of another kind. A worker takes and returns them in batches, and
//! in between hands them from tasks that end to tasks that begin, without a step that others see.
//!
//! # Invariants
//!
//! - I1: the count is that of all references, held by tasks or spare. While it is not zero, one
//!   strong count of the `Arc` stands for all of them, or somebody who has the `Arc` is about to
//!   add it.
//! - I2: whoever makes references has the `Arc`, and adds the strong count where there were none
//!   before. Till then nobody gives these back, so that the count stays above zero.
//! - I3: whoever gives the last one back gives that strong count back.

use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

use crossbeam_utils::CachePadded;

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::{AcqRel, Relaxed};

/// So many are made or given back at once.
const BATCH: usize = 64;

/// What can be referred to by a [`BatchedArc`].
pub(super) trait RefCounted: Sized {
    /// The count.
    fn batched_count(&self) -> &BatchedCount;

    /// Lends this thread's cache of references, if it has one.
    fn with_ref_cache<R>(&self, access: impl FnOnce(&mut RefCache) -> R) -> Option<R>;
}

/// The number of all references to one value.
#[derive(Debug)]
pub(super) struct BatchedCount(CachePadded<AtomicUsize>);

/// References to one value that nobody uses. [`RefCache::clear`] gives them back.
#[derive(Debug)]
pub(super) struct RefCache(usize);

/// One reference: the value stays for as long.
pub(super) struct BatchedArc<T: RefCounted>(NonNull<T>);

// SAFETY: It is a shared reference that counts, as an `Arc`.
unsafe impl<T: RefCounted + Send + Sync> Send for BatchedArc<T> {}
// SAFETY: As above.
unsafe impl<T: RefCounted + Send + Sync> Sync for BatchedArc<T> {}

impl BatchedCount {
    pub(super) fn new() -> Self {
        Self(CachePadded::new(AtomicUsize::new(0)))
    }
}

/// Makes references, which the caller owes to [`release_refs`].
fn make<T: RefCounted>(at: &Arc<T>, count: usize) {
    // ORDERING: Relaxed: whoever asks has the `Arc`, and gets it once more.
    if at.batched_count().0.fetch_add(count, Relaxed) == 0 {
        // I2: this is the strong count that stands for all.
        let _ = Arc::into_raw(Arc::clone(at));
    }
}

/// The address, as `Arc::from_raw` wants it.
#[inline]
fn address<T>(at: &Arc<T>) -> NonNull<T> {
    NonNull::new(Arc::as_ptr(at).cast_mut()).expect("an `Arc` is not null")
}

/// # Safety
///
/// - The caller has so many references to it, and gives them up.
unsafe fn release_refs<T: RefCounted>(at: NonNull<T>, count: usize) {
    // SAFETY: The value is there while there are references to it.
    let batched_count = unsafe { &(*at.as_ptr()).batched_count().0 };
    // ORDERING: AcqRel: the last one comes after all that was done under the others.
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

    /// Gives all back. What they are of must be that for which [`RefCounted::with_ref_cache`] lends
    /// these.
    pub(super) fn clear<T: RefCounted>(&mut self, at: &Arc<T>) {
        let count = std::mem::take(&mut self.0);
        if count > 0 {
            // SAFETY: They were spare.
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
    /// The `Arc` itself.
    pub(super) fn to_arc(&self) -> Arc<T> {
        // SAFETY: I1: a strong count is there, for our reference.
        unsafe { Arc::increment_strong_count(self.0.as_ptr()) };
        // SAFETY: It is the one that was just added.
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
            // SAFETY: They are ours: this one, or so many that were spare.
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
