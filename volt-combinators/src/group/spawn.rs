//! The interface to a runtime.

use std::future::Future;
use std::num::NonZeroU64;
use std::task::Waker;

use super::child::Child;
use crate::loom::sync::Arc;
use crate::poll_budget::PollBudget;

/// A runtime that polls the children of a group.
///
/// ```
/// use std::future::Future;
/// use std::thread;
/// use volt_combinators::{Child, Group, Spawn};
///
/// /// A runtime of a thread for each child.
/// struct Threads;
///
/// impl Spawn for Threads {
///     fn spawn<F>(&self, child: Child<F>)
///     where
///         F: Future<Output: Send + 'static> + Send + 'static,
///     {
///         thread::spawn(|| futures::executor::block_on(child));
///     }
/// }
///
/// let mut group = Group::new(Threads);
/// for n in 1..4 {
///     group.spawn(async move { n * n });
/// }
/// let squares = futures::executor::block_on(group.wait());
/// assert_eq!(squares.unwrap(), [1, 4, 9]);
/// ```
pub trait Spawn {
    /// Spawns the child, and polls it until it is ready.
    ///
    /// A runtime that cannot poll the child, now or later, drops it, which reports it as cancelled.
    /// The runtime must not leak it, with `mem::forget` or in a cycle: the group would wait
    /// forever.
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static;

    /// Returns a waker that only cancels. The group calls it to have the runtime drop the child
    /// that is polled with `waker`.
    ///
    /// A group stores a waker of each waiting child, to be able to cancel it. By default that is a
    /// clone of `waker`, and a child that is polled once more drops its future by itself. A runtime
    /// returns another waker if its tasks may delay their cancellation, or if it detects orphaned
    /// tasks: this waker does not count for them. The runtime decides when the child is dropped,
    /// and the child stays in its task.
    fn canceller(waker: &Waker) -> Option<Waker> {
        let _ = waker;
        None
    }

    /// Returns the id of the task that polls with `waker`, if the runtime has ids.
    ///
    /// A child passes its waker at its first poll. An [inspection](volt_inspect::Inspect) of the
    /// futures that wait for the group reports the ids as
    /// [`Wait::Task`](volt_inspect::Wait::Task).
    fn task_id(waker: &Waker) -> Option<NonZeroU64> {
        let _ = waker;
        None
    }

    /// Returns the budget of one poll of a task, if the runtime has one.
    ///
    /// A group without children, or with many stored outcomes, is ready at each poll. The futures
    /// that wait for the group spend budget, so that a loop of them lets other tasks run.
    fn budget() -> Option<PollBudget> {
        None
    }
}

impl<S: Spawn> Spawn for &S {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        S::spawn(self, child);
    }

    fn canceller(waker: &Waker) -> Option<Waker> {
        S::canceller(waker)
    }

    fn task_id(waker: &Waker) -> Option<NonZeroU64> {
        S::task_id(waker)
    }

    fn budget() -> Option<PollBudget> {
        S::budget()
    }
}

impl<S: Spawn> Spawn for Arc<S> {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        S::spawn(self, child);
    }

    fn canceller(waker: &Waker) -> Option<Waker> {
        S::canceller(waker)
    }

    fn task_id(waker: &Waker) -> Option<NonZeroU64> {
        S::task_id(waker)
    }

    fn budget() -> Option<PollBudget> {
        S::budget()
    }
}
