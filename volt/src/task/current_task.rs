//! What the thread knows about the task that it polls.

use super::reference::{Erased, RawTask};
use super::timestamp::coarse_timestamp;
use crate::loom::thread_local_const;
use std::cell::Cell;
use std::task::Waker;
use std::time::Instant;

/// The answers of one thread.
struct Context {
    task: Cell<Option<Erased>>,
    budget: Cell<Budget>,
    frame: Cell<u32>,
    clock: Cell<u32>,
}

/// How many times leaf futures may still be ready in this poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget(pub(super) u8);

impl Budget {
    /// Outside of tasks nobody counts.
    pub(super) const UNLIMITED: Self = Self(u8::MAX);
    /// What a poll of a task begins with.
    pub(super) const FULL: Self = Self(128);
}

thread_local_const! {
    static CONTEXT: Context = Context::new();
}

impl Context {
    const fn new() -> Self {
        Self {
            task: Cell::new(None),
            budget: Cell::new(Budget::UNLIMITED),
            frame: Cell::new(0),
            clock: Cell::new(0),
        }
    }
}

/// What the thread knew before.
struct Restore {
    task: Option<Erased>,
    budget: Budget,
    frame: u32,
}

/// Calls `body` as code of `task`, which is what [`with_current`] finds meanwhile. Nests: a task
/// may run another one inline.
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

/// Calls `access` with the task whose code this is.
pub(super) fn with_current<R>(access: impl FnOnce(Option<&RawTask>) -> R) -> R {
    let task = CONTEXT.with(|context| context.task.get());
    // SAFETY: I1: `enter` has borrowed the reference for as long as the pointer is there, and
    // this is a look at it that is over before `enter` is.
    let task = task.map(|task| unsafe { RawTask::from_raw(task) });
    access(task.as_ref())
}

/// The address of the task whose code this is.
#[cfg(not(loom))]
pub(super) fn address() -> Option<usize> {
    CONTEXT.with(|context| context.task.get().map(|task| task.addr().get()))
}

/// Returns `true` if the waker is that of the task whose code this is.
pub(super) fn is_woken_by(waker: &Waker) -> bool {
    let task = CONTEXT.with(|context| context.task.get());
    task.is_some_and(|task| task.as_ptr().cast_const().cast() == waker.data())
}

/// How many tasks stand on the thread's stack: whatever one of them is in the middle of.
pub(super) fn frame() -> u32 {
    CONTEXT.with(|context| context.frame.get())
}

#[inline]
pub(super) fn budget<R>(access: impl FnOnce(&Cell<Budget>) -> R) -> R {
    CONTEXT.with(|context| access(&context.budget))
}

/// A number that hardly any other thread has at the same time.
pub(super) fn thread_hint() -> usize {
    // A model must not depend on where things lie.
    if cfg!(loom) {
        return 0;
    }
    let address = CONTEXT.with(|context| std::ptr::from_ref(context).addr());
    // Threads' memory is pages apart; the upper half of the product depends on every bit of that.
    let product = (address as u64 >> 12).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product >> 32) as usize
}

/// The time that [`set_clock`] last said; zero if nobody did.
#[inline]
pub(super) fn clock() -> u32 {
    CONTEXT.with(|context| context.clock.get())
}

/// Tells the tasks that this thread will run what time it is: whoever runs tasks has read a clock
/// now and then anyway.
#[inline]
pub(crate) fn set_clock(now: Instant) {
    let now = coarse_timestamp(now);
    CONTEXT.with(|context| context.clock.set(now));
}

/// The thread will not tell the time any more.
pub(crate) fn forget_clock() {
    CONTEXT.with(|context| context.clock.set(0));
}
