//! The cooperative budget: how long one poll may go on.
//!
//! A future that finds each of its sources ready would never return, and its worker would run
//! nothing else. So every poll of a task begins with a budget, each leaf future of this crate
//! takes one from it before it does its work, and at zero it wakes the task and answers
//! `Pending`, whatever it has. What is no leaf of this crate can be made to spend it too:
//! `cooperating` has the public part.

use super::current_task::{self, Budget};
#[cfg(not(loom))]
use std::cell::Cell;
#[cfg(not(loom))]
use std::task::ready;
use std::task::{Context, Poll};

/// Takes one from the budget, or wakes the task and answers `Pending` if nothing is left.
///
/// A leaf that then makes no progress, because it must wait anyway, gives back what it took by
/// dropping the answer; one that does keeps it, by [`RestoreOnPending::made_progress`].
#[inline]
pub(crate) fn poll_proceed(cx: &mut Context<'_>) -> Poll<RestoreOnPending> {
    let taken = current_task::budget(|cell| {
        let before = cell.get();
        match before {
            Budget::UNLIMITED => {}
            Budget(0) => return None,
            Budget(left) => cell.set(Budget(left - 1)),
        }
        Some(before)
    });
    match taken {
        Some(before) => Poll::Ready(RestoreOnPending(Some(before))),
        None => {
            cx.waker().wake_by_ref();
            Poll::Pending
        }
    }
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
    ready!(poll_left(cx));
    let before = current_task::budget(Cell::get);
    let polled = poll(cx);
    if polled.is_ready() && current_task::budget(Cell::get) == before {
        spend();
    }
    polled
}

/// Takes nothing from the budget, but wakes the task and answers `Pending` if nothing is left.
#[inline]
pub(crate) fn poll_left(cx: &mut Context<'_>) -> Poll<()> {
    if has_budget() {
        return Poll::Ready(());
    }
    cx.waker().wake_by_ref();
    Poll::Pending
}

/// Takes one from the budget, if anything is left.
#[inline]
pub(crate) fn spend() {
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

/// Calls code whose leaves are not counted: it blocks its thread and nobody waits behind it, or it
/// was said to have no budget.
pub(crate) fn unlimited<R>(call: impl FnOnce() -> R) -> R {
    within(Budget::UNLIMITED, call)
}

/// Polls a future that is no task and that a thread blocks on: its leaves are counted as those of a
/// task are, for what is beside them in that future, and for the tasks of that thread.
pub(crate) fn limited<R>(poll: impl FnOnce() -> R) -> R {
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
