//! The budget of tokio, in polls of this runtime.
//!
//! The leaves of tokio, such as its channels, charge a budget that tokio keeps in a thread-local.
//! Tokio sets it in its own tasks only. Elsewhere these leaves are ready without a limit, so a
//! plain loop over a channel that is never empty would keep its worker, and a `timeout` around it
//! would not elapse. A thread in a [tokio context](crate::runtime::Builder::tokio_context) begins
//! that budget with each poll of a task. A `timeout` begins it on any thread.
//!
//! Tokio has no public function for that. Two documented properties suffice:
//!
//! ```text
//!   unconstrained(..)          no budget, and afterwards the budget from before
//!     drop(unit)               the budget from before `unit` was taken: 128
//!     unit = poll_proceed()    takes a unit again, for the next poll
//!     poll the future          with a budget of 127
//! ```
//!
//! The first unit of a thread comes from a task of a `LocalSet`, which has a budget.

use std::cell::Cell;
use std::future::{self, Future};
use std::mem;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::task::current_task::{self, Budget};
use tokio::task::LocalSet;
use tokio::task::coop::{RestoreOnPending, poll_proceed, unconstrained};

struct TokioBudget {
    is_in_context: Cell<bool>,
    /// A poll of this runtime has begun the budget.
    has_begun: Cell<bool>,
    unit: Cell<Option<RestoreOnPending>>,
}

thread_local! {
    static TOKIO: TokioBudget = const {
        TokioBudget {
            is_in_context: Cell::new(false),
            has_begun: Cell::new(false),
            unit: Cell::new(None),
        }
    };
}

impl Drop for TokioBudget {
    /// The thread ends, and must not set a budget.
    fn drop(&mut self) {
        mem::forget(self.unit.take());
    }
}

/// Records whether this thread is in a tokio context of this runtime. Returns the former value.
pub(crate) fn set_tokio_context(is_in_context: bool) -> bool {
    let replace = |tokio: &TokioBudget| tokio.is_in_context.replace(is_in_context);
    TOKIO.try_with(replace).unwrap_or(false)
}

/// Calls the poll of a task, with a new budget on a thread in a tokio context.
#[inline]
pub(in crate::task) fn in_poll<R>(poll: impl FnOnce() -> R) -> R {
    let is_in_context = TOKIO.try_with(|tokio| tokio.is_in_context.get());
    if is_in_context.unwrap_or(false) {
        return begin(poll);
    }
    poll()
}

/// Calls the poll of a future that must regain control, with the budget of its task or a new one.
///
/// A task of tokio has its own, and `unconstrained` needs none.
pub(super) fn in_limited_poll<R>(poll: impl FnOnce() -> R) -> R {
    let has_begun = TOKIO.try_with(|tokio| tokio.has_begun.get());
    let is_unlimited = current_task::budget(Cell::get) == Budget::UNLIMITED;
    if has_begun == Ok(false) && !is_unlimited && tokio::task::try_id().is_none() {
        return begin(poll);
    }
    poll()
}

/// Calls code that the budget must not limit.
pub(super) fn without_limit<R>(call: impl FnOnce() -> R) -> R {
    if TOKIO.try_with(|tokio| tokio.has_begun.get()) == Ok(true) {
        return with_begun(false, || outside_of_budget(call));
    }
    call()
}

#[inline(never)]
fn begin<R>(poll: impl FnOnce() -> R) -> R {
    let unit = TOKIO.with(|tokio| tokio.unit.take()).or_else(first_unit);
    let Some(unit) = unit else {
        return poll();
    };
    outside_of_budget(|| {
        drop(unit);
        if let Poll::Ready(unit) = poll_proceed(&mut Context::from_waker(Waker::noop())) {
            TOKIO.with(|tokio| tokio.unit.set(Some(unit)));
        }
        with_begun(true, poll)
    })
}

fn with_begun<R>(has_begun: bool, call: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            TOKIO.with(|tokio| tokio.has_begun.set(self.0));
        }
    }
    let _restore = Restore(TOKIO.with(|tokio| tokio.has_begun.replace(has_begun)));
    call()
}

/// Calls code without a budget. Afterwards the budget is that from before.
fn outside_of_budget<R>(call: impl FnOnce() -> R) -> R {
    let mut call = Some(call);
    let called = future::poll_fn(|_| match call.take() {
        Some(call) => Poll::Ready(call()),
        None => Poll::Pending,
    });
    match pin!(unconstrained(called)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("the function is called by the first poll"),
    }
}

/// Takes a unit of a full budget.
#[cold]
fn first_unit() -> Option<RestoreOnPending> {
    let taken = Rc::new(Cell::new(None));
    let tasks = LocalSet::new();
    tasks.spawn_local({
        let taken = Rc::clone(&taken);
        async move { taken.set(Some(future::poll_fn(poll_proceed).await)) }
    });
    let polled = pin!(tasks).poll(&mut Context::from_waker(Waker::noop()));
    debug_assert!(polled.is_ready(), "the only task does not wait");
    taken.take()
}
