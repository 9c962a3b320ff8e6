//! Futures that wait for the children of a group.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec::Vec;

use volt_inspect::{Inspect, Inspector, Node, Wait as Event, register_unpin, registrable};

use super::error::{GroupError, Outcome, TaskError};
use super::id::ChildId;
use super::policy::Policy;
use super::state::GroupState;

/// The id and the outcome of a child.
type Report<T> = (ChildId, Outcome<T>);

/// Declares a future that borrows the state of a group, from its poll function.
macro_rules! waits {
    ($(#[$doc:meta])* $Name:ident polled by $poll:ident => $Output:ty) => {
        $(#[$doc])*
        #[must_use = "futures do nothing unless polled"]
        pub struct $Name<'a, T> {
            state: &'a GroupState<T>,
            /// The group state has its waker.
            waits: bool,
        }

        impl<'a, T> $Name<'a, T> {
            pub(super) fn new(state: &'a GroupState<T>) -> Self {
                register_unpin::<Self>();
                Self { state, waits: false }
            }
        }

        impl<T> Inspect for $Name<'_, T> {
            /// Reports the tasks of the children.
            fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
                let node = Node::new(stringify!($Name));
                inspector.node(&node, |inspector| inspect_children(self.state, inspector));
            }
        }

        registrable!($Name<'a, T>);

        impl<T> Future for $Name<'_, T> {
            type Output = $Output;

            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                self.waits = true;
                let polled = self.state.poll_limited(cx, |cx| $poll(self.state, cx));
                self.waits = polled.is_pending();
                polled
            }
        }

        impl<T> Drop for $Name<'_, T> {
            fn drop(&mut self) {
                if self.waits {
                    self.state.stop_waiting();
                }
            }
        }

        impl<T> fmt::Debug for $Name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Name))
                    .field("group", self.state)
                    .finish()
            }
        }
    };
}

waits! {
    /// The next child to complete. Returned by [`Group::next`](super::Group::next).
    NextChild polled by poll_next => Option<(ChildId, Result<T, TaskError>)>
}

waits! {
    /// The outcomes of all children. Returned by [`Group::join_all`](super::Group::join_all) and
    /// [`Group::shutdown`](super::Group::shutdown).
    JoinAll polled by poll_join_all => Vec<(ChildId, Result<T, TaskError>)>
}

waits! {
    /// All values, or all errors. Returned by [`Group::wait`](super::Group::wait).
    Wait polled by poll_wait => Result<Vec<T>, GroupError>
}

/// The maximum number of children whose tasks an inspection reports.
const MAX_TASKS: usize = 16;

/// Reports the tasks for which the owner of a group waits.
fn inspect_children<T>(state: &GroupState<T>, inspector: &mut Inspector<'_>) {
    // The inspector is foreign code: it is called without the lock.
    let (members, mut others) = state.live_members(MAX_TASKS);
    for member in members {
        match member.task_id() {
            Some(id) => inspector.waits(Event::Task { id: id.get() }),
            None => others += 1,
        }
    }
    if others > 0 {
        inspector.waits(Event::Other(&OtherChildren(others)));
    }
}

/// The number of children whose tasks are not reported.
struct OtherChildren(usize);

impl fmt::Debug for OtherChildren {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let children = match self.0 {
            1 => "child",
            _ => "children",
        };
        write!(f, "{} {children} of the group", self.0)
    }
}

/// The poll function of [`NextChild`].
fn poll_next<T>(state: &GroupState<T>, cx: &Context<'_>) -> Poll<Option<Report<T>>> {
    state.poll_next(cx.waker())
}

/// The poll function of [`JoinAll`].
fn poll_join_all<T>(state: &GroupState<T>, cx: &Context<'_>) -> Poll<Vec<Report<T>>> {
    let reports = state.poll_all(cx.waker());
    reports.map(|reports| in_spawn_order(reports.into()))
}

/// The poll function of [`Wait`].
fn poll_wait<T>(state: &GroupState<T>, cx: &Context<'_>) -> Poll<Result<Vec<T>, GroupError>> {
    let mut reports = Vec::from(ready!(state.poll_all(cx.waker())));
    if state.policy() == Policy::FailFast {
        resume_first_panic(&mut reports);
    }
    Poll::Ready(values_or_errors(in_spawn_order(reports)))
}

fn in_spawn_order<T>(mut reports: Vec<Report<T>>) -> Vec<Report<T>> {
    reports.sort_unstable_by_key(|(id, _)| *id);
    reports
}

/// Resumes the earliest panic, if there is one.
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
