//! Which worker is on this thread?
//!
//! The answer is a pointer that [`enter_worker`] sets and its guard resets, so it is valid whenever
//! it is not null.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;

use crate::loom::thread_local_const;
use crate::task;

use super::core::Core;
use super::worker_thread::Worker;
use crate::scheduler::batched_arc::{BatchedCount, RefCache, RefCounted};
use crate::scheduler::shared::Shared;

thread_local_const! {
    static CURRENT: Cell<*const Worker> = Cell::new(ptr::null());
}

/// The time during which a worker is on this thread.
#[derive(Debug)]
pub(crate) struct CurrentWorkerGuard<'a> {
    before: *const Worker,
    _worker: PhantomData<&'a Worker>,
}

/// Puts the worker on this thread, over the one that may be there.
pub(crate) fn enter_worker(worker: &Worker) -> CurrentWorkerGuard<'_> {
    let before = CURRENT.with(|current| current.replace(worker));
    CurrentWorkerGuard {
        before,
        _worker: PhantomData,
    }
}

impl Drop for CurrentWorkerGuard<'_> {
    fn drop(&mut self) {
        CURRENT.with(|current| current.set(self.before));
        if self.before.is_null() {
            task::forget_clock();
        }
    }
}

/// Calls `access` with the worker that is on this thread.
#[inline]
#[doc(alias = "getCurrentWorkerIndex")]
pub(crate) fn with_worker<R>(access: impl FnOnce(Option<&Worker>) -> R) -> R {
    let worker = CURRENT.with(Cell::get);
    // SAFETY: the pointer is null, or comes from a reference that outlives the guard; the guard
    // has not been dropped, as that would have reset the pointer.
    access(unsafe { worker.as_ref() })
}

/// Whether there is no worker on this thread.
#[inline]
pub(crate) fn is_off_worker() -> bool {
    CURRENT.with(Cell::get).is_null()
}

/// Lends the core of `shared` that this thread has, if it has one and is not in the middle of
/// using it.
#[inline]
pub(crate) fn with_core_of<R>(shared: &Shared, access: impl FnOnce(&mut Core) -> R) -> Option<R> {
    with_worker(|worker| {
        let worker = worker.filter(|worker| ptr::eq(&**worker.shared(), shared))?;
        worker.with_core(access)
    })
}

impl RefCounted for Shared {
    #[inline]
    fn batched_count(&self) -> &BatchedCount {
        &self.batched_count
    }

    #[inline]
    fn with_ref_cache<R>(&self, access: impl FnOnce(&mut RefCache) -> R) -> Option<R> {
        with_core_of(self, |core| access(&mut core.ref_cache))
    }
}
