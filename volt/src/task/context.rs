//! What the thread knows about the task that it polls.

use super::ptr::TaskPtr;
use crate::loom::thread_local_const;
use std::cell::Cell;

/// The answers of one thread.
pub(super) struct Context {
    task: Cell<Option<TaskPtr>>,
    budget: Cell<Budget>,
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
            clock: Cell::new(0),
        }
    }
}

/// A thread that is inside of a task. Nests: a task may run another one inline.
pub(super) struct Entered {
    task: Option<TaskPtr>,
    budget: Budget,
}

/// Says that this thread polls or drops `task` from here on, until the guard goes.
#[inline]
pub(super) fn enter(task: TaskPtr) -> Entered {
    CONTEXT.with(|context| Entered {
        task: context.task.replace(Some(task)),
        budget: context.budget.replace(Budget::FULL),
    })
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        CONTEXT.with(|context| {
            context.task.set(self.task);
            context.budget.set(self.budget);
        });
    }
}

/// The task that this thread polls or drops; it is alive until [`Entered`] goes.
pub(super) fn current() -> Option<TaskPtr> {
    CONTEXT.with(|context| context.task.get())
}

#[inline]
pub(super) fn budget<R>(access: impl FnOnce(&Cell<Budget>) -> R) -> R {
    CONTEXT.with(|context| access(&context.budget))
}

/// The time that [`set_clock`] last said.
#[inline]
pub(super) fn clock() -> u32 {
    CONTEXT.with(|context| context.clock.get())
}

/// Tells the tasks that this thread will run what time it is, in milliseconds since a moment of
/// the caller's choice: whoever runs tasks has read a clock now and then anyway.
#[inline]
pub(crate) fn set_clock(milliseconds: u32) {
    CONTEXT.with(|context| context.clock.set(milliseconds));
}
