//! The worker of this thread.
//!
//! [`enter_worker`] sets a pointer, and its guard resets it. So the pointer is valid if it is not
//! null.

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

/// A guard for the time during which a worker is current on this thread.
#[derive(Debug)]
pub(crate) struct CurrentWorkerGuard<'a> {
    before: *const Worker,
    _worker: PhantomData<&'a Worker>,
}

/// Makes the worker the current one of this thread, in place of an earlier one.
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

/// Calls `access` with the current worker of this thread.
#[inline]
#[doc(alias = "getCurrentWorkerIndex")]
pub(crate) fn with_worker<R>(access: impl FnOnce(Option<&Worker>) -> R) -> R {
    let worker = CURRENT.with(Cell::get);
    // SAFETY: the pointer is null, or comes from a reference that outlives the guard. The guard was
    // not dropped, because that would have reset the pointer.
    access(unsafe { worker.as_ref() })
}

/// Returns `true` if this thread has no current worker.
#[inline]
pub(crate) fn is_off_worker() -> bool {
    CURRENT.with(Cell::get).is_null()
}

/// Calls `access` with the core of `shared` that this thread has. Returns `None` if it has none, or
/// is already using it.
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
