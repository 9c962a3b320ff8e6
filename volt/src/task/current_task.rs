//! The thread-local context of the task that a thread polls.

use super::reference::{Erased, RawTask};
use super::timestamp::coarse_timestamp;
use crate::loom::thread_local_const;
use std::cell::Cell;
use std::task::Waker;
use std::time::Instant;

/// The context of one thread.
struct Context {
    task: Cell<Option<Erased>>,
    budget: Cell<Budget>,
    frame: Cell<u32>,
    clock: Cell<u32>,
}

/// The number of times that leaf futures may still be ready in this poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget(pub(super) u8);

impl Budget {
    /// The budget of `unconstrained`, which is not counted.
    pub(super) const UNLIMITED: Self = Self(u8::MAX);
    /// The budget outside of polls of the runtime, which is not counted either. A future that must
    /// regain control begins a [full](Self::FULL) budget there.
    pub(super) const OUTSIDE: Self = Self(u8::MAX - 1);
    /// The budget at the begin of a poll.
    pub(super) const FULL: Self = Self(128);

    /// Returns `true` if the budget is counted.
    #[inline]
    pub(super) fn is_limited(self) -> bool {
        self.0 < Self::OUTSIDE.0
    }
}

thread_local_const! {
    static CONTEXT: Context = Context::new();
}

impl Context {
    const fn new() -> Self {
        Self {
            task: Cell::new(None),
            budget: Cell::new(Budget::OUTSIDE),
            frame: Cell::new(0),
            clock: Cell::new(0),
        }
    }
}

/// The context before [`enter`], which is restored when this is dropped.
struct Restore {
    task: Option<Erased>,
    budget: Budget,
    frame: u32,
}

/// Calls `body` with `task` as the current task, which [`with_current`] returns. Calls nest,
/// because a task may run another one inline.
#[inline]
#[doc(alias = "current_header")]
pub(super) fn enter<R>(task: &RawTask, body: impl FnOnce() -> R) -> R {
    let _restore = CONTEXT.with(|context| Restore {
        task: context.task.replace(Some(task.as_raw())),
        budget: context.budget.replace(Budget::FULL),
        frame: context.frame.replace(context.frame.get().wrapping_add(1)),
    });
    body()
}

impl Drop for Restore {
    #[inline]
    fn drop(&mut self) {
        CONTEXT.with(|context| {
            context.task.set(self.task);
            context.budget.set(self.budget);
            context.frame.set(self.frame);
        });
    }
}

/// Calls `access` with the current task.
pub(super) fn with_current<R>(access: impl FnOnce(Option<&RawTask>) -> R) -> R {
    let task = CONTEXT.with(|context| context.task.get());
    // SAFETY: I1: `enter` borrows the reference while the pointer is set. This reference is used
    // only in the call of `access`, and is not dropped.
    let task = task.map(|task| unsafe { RawTask::from_raw(task) });
    access(task.as_ref())
}

/// Returns the address of the current task.
#[cfg(not(any(loom, all(test, shuttle))))]
pub(super) fn address() -> Option<usize> {
    CONTEXT.with(|context| context.task.get().map(|task| task.addr().get()))
}

/// Returns `true` if the waker is one of the current task.
pub(super) fn is_woken_by(waker: &Waker) -> bool {
    let task = CONTEXT.with(|context| context.task.get());
    task.is_some_and(|task| task.as_ptr().cast_const().cast() == waker.data())
}

/// Returns the number of the current frame: the count of nested polls on this thread.
pub(super) fn frame() -> u32 {
    CONTEXT.with(|context| context.frame.get())
}

#[inline]
pub(super) fn budget<R>(access: impl FnOnce(&Cell<Budget>) -> R) -> R {
    CONTEXT.with(|context| access(&context.budget))
}

/// Returns a number that few other threads have at the same time.
pub(super) fn thread_hint() -> usize {
    // A model must not depend on addresses.
    if cfg!(loom) {
        return 0;
    }
    let address = CONTEXT.with(|context| std::ptr::from_ref(context).addr());
    // The thread-locals of two threads are pages apart. The upper half of the product depends on
    // all bits of the page number.
    let product = (address as u64 >> 12).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product >> 32) as usize
}

/// Returns the time of the last [`set_clock`] on this thread, or zero without one.
#[inline]
pub(crate) fn clock() -> u32 {
    CONTEXT.with(|context| context.clock.get())
}

/// Sets the time for the statistics of tasks that this thread runs or queues. Workers call this
/// when they have read the clock for another purpose.
#[inline]
pub(crate) fn set_clock(now: Instant) {
    let now = coarse_timestamp(now);
    CONTEXT.with(|context| context.clock.set(now));
}

/// Clears the time of this thread.
pub(crate) fn forget_clock() {
    CONTEXT.with(|context| context.clock.set(0));
}
