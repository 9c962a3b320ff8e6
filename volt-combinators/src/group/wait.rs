//! Waiting for the children of a group.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::Vec;

use super::error::{GroupError, TaskError};
use super::id::ChildId;
use super::ledger::{Ledger, Outcome, Policy};

/// A child's id and what it left.
type Report<T> = (ChildId, Outcome<T>);

/// Declares a future that borrows a group's ledger.
macro_rules! waits {
    ($(#[$doc:meta])* $Name:ident) => {
        $(#[$doc])*
        #[must_use = "futures do nothing unless polled"]
        pub struct $Name<'a, T> {
            ledger: &'a Ledger<T>,
        }

        impl<'a, T> $Name<'a, T> {
            pub(super) fn new(ledger: &'a Ledger<T>) -> Self {
                Self { ledger }
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
    NextChild
}

waits! {
    /// All children, over. Made by [`Group::join_all`](super::Group::join_all) and
    /// [`Group::shutdown`](super::Group::shutdown).
    JoinAll
}

waits! {
    /// All values, or all errors. Made by [`Group::wait`](super::Group::wait).
    Wait
}

impl<T> Future for NextChild<'_, T> {
    type Output = Option<(ChildId, Result<T, TaskError>)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.ledger.next(cx.waker()) {
            Ok(next) => Poll::Ready(next),
            Err(_) => Poll::Pending,
        }
    }
}

impl<T> Future for JoinAll<'_, T> {
    type Output = Vec<(ChildId, Result<T, TaskError>)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.ledger.all(cx.waker()) {
            Ok(reports) => Poll::Ready(in_spawn_order(reports.into())),
            Err(_) => Poll::Pending,
        }
    }
}

impl<T> Future for Wait<'_, T> {
    type Output = Result<Vec<T>, GroupError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Ok(reports) = self.ledger.all(cx.waker()) else {
            return Poll::Pending;
        };
        let mut reports = Vec::from(reports);
        if self.ledger.policy() == Policy::FailFast {
            resume_first_panic(&mut reports);
        }
        Poll::Ready(values_or_errors(in_spawn_order(reports)))
    }
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
