//! Waiting for the children of a group.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::Vec;

use super::error::{GroupError, Outcome, TaskError};
use super::id::ChildId;
use super::ledger::Ledger;
use super::policy::Policy;

/// A child's id and what it left.
type Report<T> = (ChildId, Outcome<T>);

/// Declares a future that borrows a group's ledger, by the function that polls with that.
macro_rules! waits {
    ($(#[$doc:meta])* $Name:ident by $poll:ident gives $Output:ty) => {
        $(#[$doc])*
        #[must_use = "futures do nothing unless polled"]
        pub struct $Name<'a, T> {
            ledger: &'a Ledger<T>,
            /// The ledger has its waker.
            waits: bool,
        }

        impl<'a, T> $Name<'a, T> {
            pub(super) fn new(ledger: &'a Ledger<T>) -> Self {
                Self { ledger, waits: false }
            }
        }

        impl<T> Future for $Name<'_, T> {
            type Output = $Output;

            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                self.waits = true;
                let polled = $poll(self.ledger, cx);
                self.waits = polled.is_pending();
                polled
            }
        }

        impl<T> Drop for $Name<'_, T> {
            fn drop(&mut self) {
                if self.waits {
                    self.ledger.stop_waiting();
                }
            }
        }

        impl<T> fmt::Debug for $Name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Name))
                    .field("group", self.ledger)
                    .finish()
            }
        }
    };
}

waits! {
    /// The next child to be over. Made by [`Group::next`](super::Group::next).
    NextChild by poll_next gives Option<(ChildId, Result<T, TaskError>)>
}

waits! {
    /// All children, over. Made by [`Group::join_all`](super::Group::join_all) and
    /// [`Group::shutdown`](super::Group::shutdown).
    JoinAll by poll_join_all gives Vec<(ChildId, Result<T, TaskError>)>
}

waits! {
    /// All values, or all errors. Made by [`Group::wait`](super::Group::wait).
    Wait by poll_wait gives Result<Vec<T>, GroupError>
}

/// The poll function of [`NextChild`], that leaves the waker in the ledger.
pub(super) fn poll_next<T>(ledger: &Ledger<T>, cx: &Context<'_>) -> Poll<Option<Report<T>>> {
    match ledger.next(cx.waker()) {
        Ok(next) => Poll::Ready(next),
        Err(_) => Poll::Pending,
    }
}

/// As [`poll_next`], of [`JoinAll`].
fn poll_join_all<T>(ledger: &Ledger<T>, cx: &Context<'_>) -> Poll<Vec<Report<T>>> {
    match ledger.all(cx.waker()) {
        Ok(reports) => Poll::Ready(in_spawn_order(reports.into())),
        Err(_) => Poll::Pending,
    }
}

/// As [`poll_next`], of [`Wait`].
fn poll_wait<T>(ledger: &Ledger<T>, cx: &Context<'_>) -> Poll<Result<Vec<T>, GroupError>> {
    let Ok(reports) = ledger.all(cx.waker()) else {
        return Poll::Pending;
    };
    let mut reports = Vec::from(reports);
    if ledger.policy() == Policy::FailFast {
        resume_first_panic(&mut reports);
    }
    Poll::Ready(values_or_errors(in_spawn_order(reports)))
}

fn in_spawn_order<T>(mut reports: Vec<Report<T>>) -> Vec<Report<T>> {
    reports.sort_unstable_by_key(|(id, _)| *id);
    reports
}

/// Resumes the panic that came first in time, if there is one.
fn resume_first_panic<T>(reports: &mut Vec<Report<T>>) {
    let is_panic = |(_, outcome): &Report<T>| matches!(outcome, Err(TaskError::Panicked(_)));
    if let Some(first) = reports.iter().position(is_panic)
        && let (_, Err(TaskError::Panicked(panic))) = reports.swap_remove(first)
    {
        panic.resume();
    }
}

fn values_or_errors<T>(reports: Vec<Report<T>>) -> Result<Vec<T>, GroupError> {
    let mut values = Vec::with_capacity(reports.len());
    let mut errors = Vec::new();
    for (id, outcome) in reports {
        match outcome {
            Ok(value) => values.push(value),
            Err(error) => errors.push((id, error)),
        }
    }
    if errors.is_empty() {
        Ok(values)
    } else {
        Err(GroupError::new(errors))
    }
}
