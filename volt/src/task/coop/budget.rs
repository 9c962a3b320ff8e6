//! The cooperative budget, which limits the length of one poll.
//!
//! A future whose sources are always ready would never return, and its worker would run no other
//! task. So each poll of a task begins with a budget. Each leaf future of this crate takes one unit
//! from it before it does its work. Without budget, the leaf wakes the task and returns `Pending`,
//! even if its source is ready. `coop_futures` lets users charge the budget for other code. Awaits
//! of machines have a count of their own.
//!
//! # Other executors
//!
//! Outside of polls of this runtime there is no budget: in the executor of another crate, also in
//! a blocking job. There a `timeout` and an attached future begin a budget for their inner future.
//! A refused leaf returns control to them, and through them to the other executor. In a task of
//! tokio, leaves and awaits of machines charge the budget of tokio (feature `tokio`).
//!
//! # Repeated polls
//!
//! Some code polls a future again without returning to the scheduler: the `block_on` of another
//! crate inside of a task, or a combinator that polls a child again which was woken during its own
//! poll. Each leaf would refuse such a poll, without end. So refusals are counted for each thread.
//! The budget is refilled after [`REFUSALS`] of them, or after [`REFUSALS_OF_ONE_WAKER`] in a row
//! that woke the same waker. A single pass over many children can reach these numbers too. It gets
//! another budget each time, and ends.

use super::tokio_budget;
use crate::loom::thread_local_const;
use crate::task::current_task::{self, Budget};
use std::cell::Cell;
use std::ptr;
#[cfg(not(loom))]
use std::task::ready;
use std::task::{Context, Poll, Waker};

/// The number of refusals on one thread after which a budget is refilled.
const REFUSALS: u32 = 4096;
/// The number of successive refusals that woke one waker, other than the one of the task itself,
/// after which a budget is refilled.
const REFUSALS_OF_ONE_WAKER: u32 = 256;

/// The refusals of one thread since it last refilled a budget.
///
/// Refusals of different polls are counted together, because most polls have none or few.
struct Refusals {
    all: Cell<u32>,
    in_a_row: Cell<u32>,
    /// The data pointer of the waker that the last refusal woke.
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

    /// Counts a refusal that woke `waker`. Returns `true` if the polling code probably does not
    /// return to the scheduler.
    fn count(&self, waker: &Waker) -> bool {
        let is_repeated = self.waker.replace(waker.data()) == waker.data();
        let is_same = is_repeated && !current_task::is_woken_by(waker);
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

/// Refills the budget if leaves were refused too often, and takes one unit from it. Otherwise wakes
/// the task. Returns `true` if the budget was refilled.
#[cold]
fn renew_or_wake(cx: &Context<'_>) -> bool {
    if REFUSALS_HERE.with(|refusals| refusals.count(cx.waker())) {
        current_task::budget(|cell| cell.set(Budget(Budget::FULL.0 - 1)));
        return true;
    }
    cx.waker().wake_by_ref();
    false
}

/// Takes one unit from the budget. Without budget, wakes the task and returns `Pending`.
///
/// A leaf that makes progress calls [`RestoreOnPending::made_progress`] on the result. Dropping the
/// result instead returns the unit to the budget, for a leaf that must wait anyway.
#[inline]
pub(crate) fn poll_proceed(cx: &mut Context<'_>) -> Poll<RestoreOnPending> {
    let before = match take() {
        Some(Budget::OUTSIDE) if outside::is_refused(cx) => return Poll::Pending,
        Some(before) => before,
        None if renew_or_wake(cx) => Budget::FULL,
        None => return Poll::Pending,
    };
    Poll::Ready(RestoreOnPending(Some(before)))
}

/// Takes one unit from the budget, and returns the budget before that. Returns `None` without
/// budget.
#[inline]
fn take() -> Option<Budget> {
    current_task::budget(|cell| {
        let before = cell.get();
        match before {
            Budget(0) => return None,
            Budget(left) if before.is_limited() => cell.set(Budget(left - 1)),
            _ => {}
        }
        Some(before)
    })
}

/// Takes one unit from the budget, for a leaf that is always ready. Without budget, wakes the task
/// and returns `Pending`.
#[cfg(not(loom))]
#[inline]
pub(crate) fn poll_spent(cx: &mut Context<'_>) -> Poll<()> {
    ready!(poll_proceed(cx)).made_progress();
    Poll::Ready(())
}

/// Polls a leaf that may belong to another crate. Takes one unit from the budget if the leaf is
/// ready and has taken none itself.
///
/// Without budget, wakes the task and returns `Pending`, as [`poll_proceed`] does.
#[cfg(not(loom))]
#[inline]
pub(crate) fn poll_leaf<T>(
    cx: &mut Context<'_>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    let before = current_task::budget(Cell::get);
    match before {
        Budget(0) if !renew_or_wake(cx) => return Poll::Pending,
        Budget::OUTSIDE if outside::is_refused(cx) => return Poll::Pending,
        _ => {}
    }
    let charges = outside::charges();
    let polled = poll(cx);
    if polled.is_ready() {
        current_task::budget(|cell| match before {
            Budget::OUTSIDE if outside::charges() == charges => outside::charge(),
            _ if cell.get() == before && before.is_limited() => cell.set(Budget(before.0 - 1)),
            _ => {}
        });
    }
    polled
}

/// [`poll_leaf`] for an operation that begins even if the budget is spent.
///
/// `output` stores the output of a leaf that has taken no budget, until there is budget.
#[cfg(not(loom))]
pub(crate) fn poll_begun<T>(
    cx: &mut Context<'_>,
    output: &mut Option<T>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    let output_now = match output.take() {
        Some(stored) => stored,
        None => {
            let before = current_task::budget(Cell::get);
            let polled = ready!(poll(cx));
            if current_task::budget(Cell::get) != before {
                return Poll::Ready(polled);
            }
            polled
        }
    };
    if poll_spent(cx).is_pending() {
        *output = Some(output_now);
        return Poll::Pending;
    }
    Poll::Ready(output_now)
}

/// Takes nothing from the budget. Without budget, wakes the task and returns `Pending`.
#[inline]
pub(crate) fn poll_has_budget(cx: &mut Context<'_>) -> Poll<()> {
    let is_refused = match current_task::budget(Cell::get) {
        Budget(0) => !renew_or_wake(cx),
        Budget::OUTSIDE => outside::is_refused(cx),
        _ => false,
    };
    if is_refused {
        return Poll::Pending;
    }
    Poll::Ready(())
}

/// Takes one unit from the budget, if there is one.
#[inline]
pub(crate) fn consume() {
    current_task::budget(|cell| match cell.get() {
        Budget(0) => {}
        Budget::OUTSIDE => outside::charge(),
        budget if budget.is_limited() => cell.set(Budget(budget.0 - 1)),
        _ => {}
    });
}

/// Returns `true` if there is budget left.
#[inline]
pub(super) fn has_budget() -> bool {
    match current_task::budget(Cell::get) {
        Budget::OUTSIDE => outside::has_budget(),
        budget => budget != Budget(0),
    }
}

/// Returns `true` if the budget of this thread is limited.
pub(in crate::task) fn is_limited() -> bool {
    current_task::budget(|cell| match cell.get() {
        Budget::OUTSIDE => outside::is_in_task(),
        budget => budget.is_limited(),
    })
}

/// The budget of tokio, which limits the polls of its tasks.
#[cfg(all(feature = "tokio", not(loom)))]
mod outside {
    use std::cell::Cell;
    use std::task::{Context, Poll, Waker};

    use tokio::task::coop;

    use super::{Budget, REFUSALS_HERE};

    thread_local! {
        /// The number of units that were charged on this thread.
        static CHARGES: Cell<u32> = const { Cell::new(0) };
        /// The number of leaves that may still be ready although the budget is spent.
        static CREDIT: Cell<u8> = const { Cell::new(0) };
    }

    /// Returns `true`, and wakes the task, if the budget of tokio is spent.
    ///
    /// The budget cannot be refilled here. So code that polls again without returning to tokio gets
    /// a credit after some refusals.
    pub(super) fn is_refused(cx: &Context<'_>) -> bool {
        if coop::has_budget_remaining() {
            return false;
        }
        if let Some(left) = CREDIT.get().checked_sub(1) {
            CREDIT.set(left);
            return false;
        }
        if REFUSALS_HERE.with(|refusals| refusals.count(cx.waker())) {
            CREDIT.set(Budget::FULL.0);
            return false;
        }
        // The waker that tokio would defer may be one that this poll waits for.
        cx.waker().wake_by_ref();
        true
    }

    pub(super) fn has_budget() -> bool {
        coop::has_budget_remaining()
    }

    /// Takes one unit from the budget of tokio.
    pub(super) fn charge() {
        CHARGES.set(CHARGES.get().wrapping_add(1));
        if coop::has_budget_remaining()
            && let Poll::Ready(budget) = coop::poll_proceed(&mut Context::from_waker(Waker::noop()))
        {
            budget.made_progress();
        }
    }

    pub(super) fn charges() -> u32 {
        CHARGES.get()
    }

    /// Returns `true` in a task of tokio.
    pub(super) fn is_in_task() -> bool {
        tokio::task::try_id().is_some()
    }
}

/// Without the feature `tokio`, there is no other budget.
#[cfg(not(all(feature = "tokio", not(loom))))]
mod outside {
    use std::task::Context;

    #[inline]
    pub(super) fn is_refused(_: &Context<'_>) -> bool {
        false
    }

    #[inline]
    pub(super) fn has_budget() -> bool {
        true
    }

    #[inline]
    pub(super) fn charge() {}

    #[cfg(not(loom))]
    #[inline]
    pub(super) fn charges() -> u32 {
        0
    }

    pub(super) fn is_in_task() -> bool {
        false
    }
}

/// Calls code without a limit on its leaves, because the user requested it.
pub(crate) fn with_unlimited_budget<R>(call: impl FnOnce() -> R) -> R {
    within(Budget::UNLIMITED, || tokio_budget::without_limit(call))
}

/// Calls code that may block its thread, and that may poll futures by an executor of its own.
#[cfg(not(loom))]
pub(crate) fn outside_of_polls<R>(call: impl FnOnce() -> R) -> R {
    within(Budget::OUTSIDE, || tokio_budget::without_limit(call))
}

/// Polls the inner future of a future that must regain control, such as a timeout. Outside of polls
/// of this runtime, in an executor of another crate, it begins a budget.
#[cfg(not(loom))]
#[inline]
pub(crate) fn with_some_budget<R>(poll: impl FnOnce() -> R) -> R {
    let _restore = current_task::budget(|cell| {
        let before = cell.get();
        if before == Budget::OUTSIDE {
            cell.set(Budget::FULL);
            return RestoreOnPending(Some(before));
        }
        RestoreOnPending(None)
    });
    tokio_budget::in_limited_poll(poll)
}

/// Polls a future that a thread blocks on, with the budget of a task. The limit protects other
/// parts of that future, and the tasks of that thread.
pub(crate) fn with_full_budget<R>(poll: impl FnOnce() -> R) -> R {
    within(Budget::FULL, || tokio_budget::in_poll(poll))
}

fn within<R>(budget: Budget, call: impl FnOnce() -> R) -> R {
    let before = current_task::budget(|cell| cell.replace(budget));
    let _restore = RestoreOnPending(Some(before));
    call()
}

/// A unit of the budget, which is returned on drop unless it was used.
#[must_use = "dropping it returns the unit to the budget"]
#[derive(Debug)]
pub(crate) struct RestoreOnPending(Option<Budget>);

impl RestoreOnPending {
    /// Records that the leaf made progress, so the unit is used.
    #[inline]
    pub(crate) fn made_progress(mut self) {
        if self.0.take() == Some(Budget::OUTSIDE) {
            outside::charge();
        }
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
