//! The cooperative budget: how long one poll may go on.
//!
//! A future that finds each of its sources ready would never return, and its worker would run
//! nothing else. So every poll of a task begins with a budget, each leaf future of this crate
//! takes one from it before it does its work, and at zero it wakes the task and answers
//! `Pending`, whatever it has. What is no leaf of this crate can be made to spend it too:
//! `coop_futures` has the public part, and awaits in machines have a count of their own.
//!
//! # Polled again at once
//!
//! Code that polls a future again without returning to the scheduler finds each leaf refused, for
//! as long as it goes on: another crate's `block_on` inside a task, or a combinator that polls
//! again what was woken during its own poll. So refusals are counted per thread, and after
//! [`REFUSALS`] of them, or [`REFUSALS_OF_ONE_WAKER`] in a row that woke the same waker, the budget
//! is renewed. One pass over many children reaches such a number too: it gets one more budget for
//! each, and ends.

use crate::loom::thread_local_const;
use crate::task::current_task::{self, Budget};
use std::cell::Cell;
use std::ptr;
#[cfg(not(loom))]
use std::task::ready;
use std::task::{Context, Poll};

/// Refusals on one thread until a budget is renewed.
const REFUSALS: u32 = 4096;
/// The same of those in a row that woke one waker, unless that is the task's own.
const REFUSALS_OF_ONE_WAKER: u32 = 256;

/// The refusals of one thread since it last renewed a budget. Those of different polls are not told
/// apart: most polls have none or few.
struct Refusals {
    all: Cell<u32>,
    in_a_row: Cell<u32>,
    /// What the last one woke.
    waker: Cell<*const ()>,
}

thread_local_const! {
    static REFUSALS_HERE: Refusals = Refusals::new();
}

impl Refusals {
    const fn new() -> Self {
        Self {
            all: Cell::new(0),
            in_a_row: Cell::new(0),
            waker: Cell::new(ptr::null()),
        }
    }

    /// Counts one. Returns `true` if the code that polls cannot be expected to return.
    fn count(&self, waker: *const (), is_own: bool) -> bool {
        let is_same = self.waker.replace(waker) == waker && !is_own;
        let in_a_row = if is_same { self.in_a_row.get() + 1 } else { 1 };
        self.in_a_row.set(in_a_row);
        self.all.set(self.all.get() + 1);
        let is_over = in_a_row >= REFUSALS_OF_ONE_WAKER || self.all.get() >= REFUSALS;
        if is_over {
            self.in_a_row.set(0);
            self.all.set(0);
        }
        is_over
    }
}

/// Renews the budget if leaves were refused too often, and takes one from it; else wakes the task.
/// Returns `true` if it was renewed.
#[cold]
fn renew_or_wake(cx: &Context<'_>) -> bool {
    let (data, is_own) = (cx.waker().data(), current_task::is_woken_by(cx.waker()));
    if REFUSALS_HERE.with(|refusals| refusals.count(data, is_own)) {
        current_task::budget(|cell| cell.set(Budget(Budget::FULL.0 - 1)));
        return true;
    }
    cx.waker().wake_by_ref();
    false
}

/// Takes one from the budget, or wakes the task and answers `Pending` if nothing is left.
///
/// A leaf that then makes no progress, because it must wait anyway, gives back what it took by
/// dropping the answer; one that does keeps it, by [`RestoreOnPending::made_progress`].
#[inline]
pub(crate) fn poll_proceed(cx: &mut Context<'_>) -> Poll<RestoreOnPending> {
    let before = match take() {
        Some(before) => before,
        None if renew_or_wake(cx) => Budget::FULL,
        None => return Poll::Pending,
    };
    Poll::Ready(RestoreOnPending(Some(before)))
}

/// Takes one from the budget and returns what was there; `None` if nothing is left.
#[inline]
fn take() -> Option<Budget> {
    current_task::budget(|cell| {
        let before = cell.get();
        match before {
            Budget::UNLIMITED => {}
            Budget(0) => return None,
            Budget(left) => cell.set(Budget(left - 1)),
        }
        Some(before)
    })
}

/// Takes one from the budget for a leaf that is always ready, or wakes the task and answers
/// `Pending` if nothing is left.
#[cfg(not(loom))]
#[inline]
pub(crate) fn poll_spent(cx: &mut Context<'_>) -> Poll<()> {
    ready!(poll_proceed(cx)).made_progress();
    Poll::Ready(())
}

/// Polls a leaf that may come from another crate: takes one from the budget if it is ready and has
/// taken nothing itself.
///
/// At zero it wakes the task and answers `Pending`, as [`poll_proceed`] does.
#[cfg(not(loom))]
#[inline]
pub(crate) fn poll_leaf<T>(
    cx: &mut Context<'_>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    let before = current_task::budget(Cell::get);
    if before == Budget(0) && !renew_or_wake(cx) {
        return Poll::Pending;
    }
    let polled = poll(cx);
    if polled.is_ready() {
        current_task::budget(|cell| {
            if cell.get() == before && before != Budget::UNLIMITED {
                cell.set(Budget(before.0 - 1));
            }
        });
    }
    polled
}

/// Takes nothing from the budget, but wakes the task and answers `Pending` if nothing is left.
#[inline]
pub(crate) fn poll_has_budget(cx: &mut Context<'_>) -> Poll<()> {
    if has_budget() || renew_or_wake(cx) {
        return Poll::Ready(());
    }
    Poll::Pending
}

/// Takes one from the budget, if anything is left.
#[inline]
pub(crate) fn consume() {
    current_task::budget(|cell| match cell.get() {
        Budget::UNLIMITED | Budget(0) => {}
        Budget(left) => cell.set(Budget(left - 1)),
    });
}

/// Whether anything is left of the budget.
#[inline]
pub(super) fn has_budget() -> bool {
    current_task::budget(|cell| cell.get() != Budget(0))
}

/// Returns `true` if leaves are counted here.
pub(in crate::task) fn is_limited() -> bool {
    current_task::budget(|cell| cell.get() != Budget::UNLIMITED)
}

/// Calls code whose leaves are not counted: it blocks its thread and nobody waits behind it, or it
/// was said to have no budget.
pub(crate) fn with_unlimited_budget<R>(call: impl FnOnce() -> R) -> R {
    within(Budget::UNLIMITED, call)
}

/// Polls a future that is no task and that a thread blocks on: its leaves are counted as those of a
/// task are, for what is beside them in that future, and for the tasks of that thread.
pub(crate) fn with_full_budget<R>(poll: impl FnOnce() -> R) -> R {
    within(Budget::FULL, poll)
}

fn within<R>(budget: Budget, call: impl FnOnce() -> R) -> R {
    let before = current_task::budget(|cell| cell.replace(budget));
    let _restore = RestoreOnPending(Some(before));
    call()
}

/// One taken from the budget, that goes back unless it was used.
#[must_use = "the budget is given back when this is dropped"]
#[derive(Debug)]
pub(crate) struct RestoreOnPending(Option<Budget>);

impl RestoreOnPending {
    /// The work was done, so the budget is spent.
    #[inline]
    pub(crate) fn made_progress(mut self) {
        self.0 = None;
    }
}

impl Drop for RestoreOnPending {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            current_task::budget(|cell| cell.set(before));
        }
    }
}
