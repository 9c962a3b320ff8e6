//! The port to a runtime.

use std::future::Future;
use std::task::Waker;

use super::child::Child;
use crate::loom::sync::Arc;

/// What a group wants of a runtime: somebody who polls its children.
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
    /// Sees to it that the child is polled until it is ready.
    ///
    /// A runtime that cannot, now or later, drops it; the group hears of that. It must not forget
    /// it, with `mem::forget` or in a cycle, or the group waits for ever.
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static;

    /// Returns a waker that only cancels: the group calls it to have the child dropped, or polled once
    /// more, that is polled with `waker`.
    ///
    /// A group keeps a waker of each child that waits, to be able to cancel it. A runtime that finds
    /// the tasks that nobody can wake gives it one here that it does not count. By default there is
    /// none, and the group keeps a clone of `waker`. If there is one, the child stays in its task.
    fn canceller(waker: &Waker) -> Option<Waker> {
        let _ = waker;
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
}
