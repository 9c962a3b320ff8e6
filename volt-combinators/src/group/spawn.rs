//! The port to a runtime.

use std::future::Future;

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
}

impl<S: Spawn> Spawn for &S {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        S::spawn(self, child);
    }
}

impl<S: Spawn> Spawn for Arc<S> {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        S::spawn(self, child);
    }
}
