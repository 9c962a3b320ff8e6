//! A group of children on a runtime.

use std::boxed::Box;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::num::NonZeroUsize;
use std::task::{Context, Poll};

use super::child::Child;
use super::error::TaskError;
use super::id::ChildId;
use super::ledger::Ledger;
use super::policy::Policy;
use super::spawn::Spawn;
use super::wait::{JoinAll, NextChild, Wait, poll_next};
use crate::loom::sync::Arc;

/// Children that run on a runtime and are owned together.
///
/// `T` is what each returns, `S` the runtime. There is no limit to their number; how many run at a
/// time can be [limited](Self::limit).
///
/// **Dropping a group only asks its children to stop.** They are dropped by their runtime, soon but
/// later. Await [`shutdown`](Self::shutdown) to know that they are gone.
///
/// A child can spawn siblings through a [`handle`](Self::handle).
///
/// ```
/// use core::num::NonZeroUsize;
/// use volt_combinators::{Group, Policy, TaskError};
///
/// # struct Threads;
/// # impl volt_combinators::Spawn for Threads {
/// #     fn spawn<F>(&self, child: volt_combinators::Child<F>)
/// #     where
/// #         F: Future<Output: Send + 'static> + Send + 'static,
/// #     {
/// #         std::thread::spawn(|| futures::executor::block_on(child));
/// #     }
/// # }
/// # futures::executor::block_on(async {
/// let mut group = Group::new(Threads).limit(NonZeroUsize::new(2).unwrap());
/// for n in [1, 2, 3] {
///     group.spawn(async move { n * n });
/// }
/// assert_eq!(group.wait().await.unwrap(), [1, 4, 9]);
///
/// let mut group = Group::new(Threads).policy(Policy::Supervise);
/// let waits = group.spawn(core::future::pending::<()>());
/// let (id, outcome) = group.shutdown().await.remove(0);
/// assert_eq!(id, waits);
/// assert!(matches!(outcome, Err(TaskError::Cancelled)));
/// # });
/// ```
///
/// # Memory
///
/// What a child leaves is kept until it is taken: by [`next`](Self::next), by
/// [`join_all`](Self::join_all), [`wait`](Self::wait) or [`shutdown`](Self::shutdown), or by the drop
/// of the group. A child that is over takes the size of `(ChildId, Result<T, TaskError>)`, and up to
/// as much again while the queue of them grows; its future is gone. So a group that spawns for ever
/// and never takes grows for ever: [`len`](Self::len) shows it, and a [`detached`](Self::detached)
/// group keeps nothing.
///
/// # Panics of children
///
/// They are caught, and reported as [`TaskError::Panicked`]. What else
/// they do is the group's [`Policy`].
#[must_use = "a group that is dropped asks its children to stop"]
pub struct Group<T, S> {
    spawner: S,
    ledger: Arc<Ledger<T>>,
}

impl<T, S> Group<T, S> {
    /// Makes a group without children, that fails fast and has no limit.
    pub fn new(spawner: S) -> Self {
        Self {
            spawner,
            ledger: Arc::new(Ledger::new()),
        }
    }

    /// Sets what the panic of a child means for its siblings.
    pub fn policy(self, policy: Policy) -> Self {
        self.ledger.set_policy(policy);
        self
    }

    /// Sets how many children run at a time.
    ///
    /// The others wait, in the order in which their runtime came to them first, and their futures are
    /// not polled. Children that started before there was a limit are not counted: set it first.
    pub fn limit(self, limit: NonZeroUsize) -> Self {
        self.ledger.set_limit(limit);
        self
    }

    /// Drops what children return as they return it, instead of keeping it for
    /// [`next`](Self::next), [`join_all`](Self::join_all) and [`wait`](Self::wait).
    ///
    /// For groups that run for long and whose outputs nobody wants. These three still wait until
    /// all children are over, and return none of them. Errors are dropped too, except for one: where
    /// the policy is [`Policy::FailFast`], the panic that ends the group is kept, for `wait` to
    /// resume. What children left before is kept: call this first.
    ///
    /// ```
    /// # use volt_combinators::Group;
    /// # struct Threads;
    /// # impl volt_combinators::Spawn for Threads {
    /// #     fn spawn<F>(&self, child: volt_combinators::Child<F>)
    /// #     where
    /// #         F: Future<Output: Send + 'static> + Send + 'static,
    /// #     {
    /// #         std::thread::spawn(|| futures::executor::block_on(child));
    /// #     }
    /// # }
    /// # futures::executor::block_on(async {
    /// let mut requests = Group::new(Threads).detached();
    /// for n in 0..100 {
    ///     requests.spawn(async move { n * n });
    /// }
    /// assert!(requests.next().await.is_none());
    /// assert!(requests.is_empty());
    /// # });
    /// ```
    pub fn detached(self) -> Self {
        self.ledger.set_detached();
        self
    }

    /// How many children have not been taken out of the group: those that are not over, and those
    /// that are over and that neither [`next`](Self::next) nor another method has returned.
    pub fn len(&self) -> usize {
        self.ledger.len()
    }

    /// How many children are not over.
    ///
    /// [`len`](Self::len) less this is how many outputs the group keeps.
    pub fn live(&self) -> usize {
        self.ledger.live()
    }

    /// Whether [`next`](Self::next) would return `None`: all children are over, and nothing that
    /// they left is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Asks all children to stop, and those that are spawned later too.
    ///
    /// A child stops when its runtime polls it next, which this brings about. On volt's runtime a child under a
    /// shield stops at the first await behind it, as other tasks do.
    pub fn cancel(&self) {
        self.ledger.cancel();
    }

    /// Asks one child to stop, as [`cancel`](Self::cancel) does. It is over, with [`TaskError::Cancelled`], when its
    /// runtime has polled it once more; its siblings go on. False if it is over already.
    ///
    /// The child is looked for among all that are not over.
    pub fn cancel_child(&self, id: ChildId) -> bool {
        self.ledger.cancel_child(id)
    }

    /// Whether the children were asked to stop, by [`cancel`](Self::cancel) or by the panic of one.
    pub fn is_cancelled(&self) -> bool {
        self.ledger.is_cancelled()
    }

    /// Waits for the next child to be over; `None` when there is none left.
    ///
    /// # Cancel safety
    ///
    /// Dropping what this returns loses nothing.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator would have to block"
    )]
    pub fn next(&mut self) -> NextChild<'_, T> {
        NextChild::new(&self.ledger)
    }

    /// As [`next`](Self::next), of children that are over by now; `None` when all that are have been
    /// returned, or none is left.
    pub fn try_next(&mut self) -> Option<(ChildId, Result<T, TaskError>)> {
        self.ledger.try_next()
    }

    /// The poll function of [`next`](Self::next).
    pub fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(ChildId, Result<T, TaskError>)>> {
        poll_next(&self.ledger, cx)
    }

    /// Waits until all children are over, destructors and all, and returns what each left, in spawn
    /// order, except what [`next`](Self::next) returned before.
    ///
    /// # Cancel safety
    ///
    /// Dropping what this returns loses nothing.
    pub fn join_all(&mut self) -> JoinAll<'_, T> {
        JoinAll::new(&self.ledger)
    }

    /// As [`join_all`](Self::join_all), but returns the bare values.
    ///
    /// # Errors
    ///
    /// Returns all errors, with the ids of their children, if there are any.
    ///
    /// # Panics
    ///
    /// Resumes the panic that came first, when all children are over, if the policy is
    /// [`Policy::FailFast`].
    ///
    /// # Cancel safety
    ///
    /// Dropping what this returns loses nothing.
    pub fn wait(&mut self) -> Wait<'_, T> {
        Wait::new(&self.ledger)
    }

    /// Asks all children to stop, at once, and waits as [`join_all`](Self::join_all) does.
    pub fn shutdown(&mut self) -> JoinAll<'_, T> {
        self.cancel();
        self.join_all()
    }
}

impl<T: Send + 'static, S: Spawn> Group<T, S> {
    /// Spawns a child.
    #[track_caller]
    pub fn spawn<I>(&self, future: I) -> ChildId
    where
        I: IntoFuture<Output = T, IntoFuture: Send + 'static>,
    {
        spawn(&self.spawner, &self.ledger, future.into_future())
    }

    /// A handle by which children can spawn siblings.
    pub fn handle(&self) -> GroupHandle<T, S>
    where
        S: Clone,
    {
        GroupHandle {
            spawner: self.spawner.clone(),
            ledger: self.ledger.clone(),
        }
    }
}

/// From more bytes than this on a future is boxed before it is spawned: each wrapper around it would
/// else have a copy of it on the stack where code is not optimised.
const LARGE: usize = 16 << 10;

#[track_caller]
fn spawn<F, S>(spawner: &S, ledger: &Arc<Ledger<F::Output>>, future: F) -> ChildId
where
    S: Spawn,
    F: Future<Output: Send + 'static> + Send + 'static,
{
    if const { size_of::<F>() > LARGE } {
        spawn_child(spawner, ledger, Box::pin(future))
    } else {
        spawn_child(spawner, ledger, future)
    }
}

#[track_caller]
fn spawn_child<F, S>(spawner: &S, ledger: &Arc<Ledger<F::Output>>, future: F) -> ChildId
where
    S: Spawn,
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let (id, ticket) = Ledger::enter(ledger, S::canceller);
    let refused = ticket.member.is_cancelled();
    let child = Child::new(future, ticket);
    if refused {
        drop(child);
    } else {
        spawner.spawn(child);
    }
    id
}

impl<T, S> Drop for Group<T, S> {
    fn drop(&mut self) {
        self.ledger.abandon();
    }
}

impl<T, S> fmt::Debug for Group<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("children", &self.ledger)
            .finish_non_exhaustive()
    }
}

/// Spawns children into a group from anywhere, its own children among them.
///
/// It does not keep the group: once that is dropped, children are cancelled from the start.
#[derive(Clone)]
pub struct GroupHandle<T, S> {
    spawner: S,
    ledger: Arc<Ledger<T>>,
}

impl<T: Send + 'static, S: Spawn> GroupHandle<T, S> {
    /// Spawns a child.
    #[track_caller]
    pub fn spawn<I>(&self, future: I) -> ChildId
    where
        I: IntoFuture<Output = T, IntoFuture: Send + 'static>,
    {
        spawn(&self.spawner, &self.ledger, future.into_future())
    }
}

impl<T, S> GroupHandle<T, S> {
    /// Asks all children to stop, and those that are spawned later too.
    pub fn cancel(&self) {
        self.ledger.cancel();
    }
}

impl<T, S> fmt::Debug for GroupHandle<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroupHandle")
            .field("children", &self.ledger)
            .finish_non_exhaustive()
    }
}
