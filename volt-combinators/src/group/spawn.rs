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

    /// Returns a waker that only cancels: the group calls it to have the runtime drop the child that is
    /// polled with `waker`.
    ///
    /// A group keeps a waker of each child that waits, to be able to cancel it. By default that is a clone of
    /// `waker`, and a child that is polled once more drops its future by itself. A runtime gives another
    /// one here if its tasks may put their cancellation off, or if it finds the tasks that nobody can wake:
    /// such a waker does not count. It decides when the child is dropped, and the child stays in its task.
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
