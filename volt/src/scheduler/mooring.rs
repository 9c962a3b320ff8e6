//! What keeps a scheduler for as long as there are tasks of it.
//!
//! A task may call its scheduler while it is allocated, so it has to keep it. Were each of them
//! counted in the scheduler's `Arc`, every spawn and every end would write to one line of memory,
//! from whatever thread. So they hold *moorings*: these come and go in batches, and between two
//! batches a worker gives its tasks those that it has spare, without a step that others see.
//!
//! # Invariants
//!
//! - I1: the count is that of all moorings, held by tasks or spare. While it is not zero, one
//!   strong count of the `Arc` stands for all of them, or somebody who has the `Arc` is about to
//!   add it.
//! - I2: whoever makes moorings has the `Arc`, and adds the strong count where there were none
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

/// What can be moored to.
pub(super) trait Harbour: Sized {
    /// The count.
    fn moorings(&self) -> &Moorings;

    /// Lends the spare moorings of this thread, if it has such.
    fn with_spares<R>(&self, access: impl FnOnce(&mut Spares) -> R) -> Option<R>;
}

/// The number of all moorings of one harbour.
#[derive(Debug)]
pub(super) struct Moorings(CachePadded<AtomicUsize>);

/// Moorings of one harbour that nobody uses. They are given back by [`Spares::clear`].
#[derive(Debug)]
pub(super) struct Spares(usize);

/// One mooring: what it is at stays.
pub(super) struct Moored<T: Harbour>(NonNull<T>);

// SAFETY: It is a shared reference that counts, as an `Arc`.
unsafe impl<T: Harbour + Send + Sync> Send for Moored<T> {}
// SAFETY: As above.
unsafe impl<T: Harbour + Send + Sync> Sync for Moored<T> {}

impl Moorings {
    pub(super) fn new() -> Self {
        Self(CachePadded::new(AtomicUsize::new(0)))
    }
}

/// Makes moorings, which the caller owes to [`give_back`].
fn make<T: Harbour>(at: &Arc<T>, count: usize) {
    // ORDERING: Relaxed: whoever asks has the `Arc`, and gets it once more.
    if at.moorings().0.fetch_add(count, Relaxed) == 0 {
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
/// - The caller has so many moorings there, and gives them up.
unsafe fn give_back<T: Harbour>(at: NonNull<T>, count: usize) {
    // SAFETY: What one has a mooring at is there.
    let moorings = unsafe { &(*at.as_ptr()).moorings().0 };
    // ORDERING: AcqRel: the last one comes after all that was done under the others.
    if moorings.fetch_sub(count, AcqRel) == count {
        // SAFETY: I3: the strong count is ours, and came from `Arc::into_raw`.
        drop(unsafe { Arc::from_raw(at.as_ptr()) });
    }
}

impl Spares {
    pub(super) fn new() -> Self {
        Self(0)
    }

    #[inline]
    fn take<T: Harbour>(&mut self, at: &Arc<T>) {
        if self.0 == 0 {
            make(at, BATCH);
            self.0 = BATCH;
        }
        self.0 -= 1;
    }

    /// Gives all back. What they are of must be that for which [`Harbour::with_spares`] lends
    /// these.
    pub(super) fn clear<T: Harbour>(&mut self, at: &Arc<T>) {
        let count = std::mem::take(&mut self.0);
        if count > 0 {
            // SAFETY: They were spare.
            unsafe { give_back(address(at), count) };
        }
    }
}

impl<T: Harbour> Moored<T> {
    #[inline]
    pub(super) fn new(at: &Arc<T>) -> Self {
        if at.with_spares(|spares| spares.take(at)).is_none() {
            make(at, 1);
        }
        Self(address(at))
    }
}

impl<T: Harbour> Moored<T> {
    /// The `Arc` itself.
    pub(super) fn to_arc(&self) -> Arc<T> {
        // SAFETY: I1: a strong count is there, for our mooring.
        unsafe { Arc::increment_strong_count(self.0.as_ptr()) };
        // SAFETY: It is the one that was just added.
        unsafe { Arc::from_raw(self.0.as_ptr()) }
    }
}

impl<T: Harbour> Deref for Moored<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: I1: our mooring counts.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Harbour> Drop for Moored<T> {
    #[inline]
    fn drop(&mut self) {
        let surplus = self.with_spares(|spares| {
            spares.0 += 1;
            let surplus = if spares.0 > 2 * BATCH { BATCH } else { 0 };
            spares.0 -= surplus;
            surplus
        });
        let count = surplus.unwrap_or(1);
        if count > 0 {
            // SAFETY: They are ours: this one, or so many that were spare.
            unsafe { give_back(self.0, count) };
        }
    }
}

impl<T: Harbour> fmt::Debug for Moored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Moored").field(&self.0).finish()
    }
}

#[cfg(test)]
#[path = "mooring_tests.rs"]
mod tests;
