//! A group of children on a runtime.

use std::boxed::Box;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::num::NonZeroUsize;
use std::task::{Context, Poll, Waker};

use super::child::Child;
use super::error::TaskError;
use super::id::ChildId;
use super::member::StartedTask;
use super::policy::Policy;
use super::spawn::Spawn;
use super::state::GroupState;
use super::wait::{JoinAll, NextChild, Wait};
use crate::loom::sync::Arc;

/// Children that run on a runtime and are owned together.
///
/// `T` is the output of each child, `S` the runtime. The number of children has no limit. The
/// number that runs at a time can be [limited](Self::limit).
///
/// **Dropping a group only requests cancellation.** The runtime drops the children soon after.
/// Await [`shutdown`](Self::shutdown) to wait until they have been dropped.
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
/// The outcome of a child is stored until it is taken: by [`next`](Self::next),
/// [`join_all`](Self::join_all), [`wait`](Self::wait) or [`shutdown`](Self::shutdown), or by the
/// drop of the group. A stored outcome takes the size of `(ChildId, Result<T, TaskError>)`, and up
/// to twice that while the queue grows. The future of the child has been dropped. So a group that
/// spawns forever and never takes outcomes grows without bound. [`len`](Self::len) shows this, and
/// a [`detached`](Self::detached) group stores no outcomes.
///
/// # Panics of children
///
/// Panics are caught, and reported as [`TaskError::Panicked`]. The [`Policy`] of the group decides
/// whether a panic cancels the siblings.
#[must_use = "a group cancels its children when it is dropped"]
pub struct Group<T, S> {
    spawner: S,
    state: Arc<GroupState<T>>,
}

impl<T, S: Spawn> Group<T, S> {
    /// Creates a group without children, with [`Policy::FailFast`] and without a limit.
    pub fn new(spawner: S) -> Self {
        Self {
            spawner,
            state: Arc::new(GroupState::new(S::budget())),
        }
    }
}

impl<T, S> Group<T, S> {
    /// Sets the effect of a child's panic on its siblings. The default is [`Policy::FailFast`].
    pub fn policy(self, policy: Policy) -> Self {
        self.state.set_policy(policy);
        self
    }

    /// Sets the number of children that run at a time. The default is no limit.
    ///
    /// The others wait in the order in which their runtime polled them first, and their futures are
    /// not polled. Children that started before the limit was set are not counted: set it first.
    pub fn limit(self, limit: NonZeroUsize) -> Self {
        self.state.set_limit(limit);
        self
    }

    /// Drops outputs when children complete, instead of storing them for [`next`](Self::next),
    /// [`join_all`](Self::join_all) and [`wait`](Self::wait).
    ///
    /// Use this for long-lived groups whose outputs are not needed. These three methods still wait
    /// until all children have completed, and return no outputs. Errors are dropped too, with one
    /// exception: under [`Policy::FailFast`] the panic that ends the group is stored, for `wait` to
    /// resume. Outcomes stored before this call are kept: call it first.
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
        self.state.set_detached();
        self
    }

    /// Returns the number of children that have not been taken out of the group: the live ones, and
    /// completed ones that neither [`next`](Self::next) nor another method has returned.
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Returns the number of children that have not completed.
    ///
    /// [`len`](Self::len) minus this is the number of outcomes that the group stores.
    pub fn live(&self) -> usize {
        self.state.live()
    }

    /// Returns `true` if [`next`](Self::next) would return `None`: all children have completed, and
    /// no outcome is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Cancels all children, including those that are spawned later.
    ///
    /// Each child is woken, and stops at its next poll. On volt's runtime, a child under a shield
    /// stops at the first await after the shield, as other tasks do.
    pub fn cancel(&self) {
        self.state.cancel();
    }

    /// Cancels one child, as [`cancel`](Self::cancel) does. It completes with
    /// [`TaskError::Cancelled`] when its runtime has polled it once more. Its siblings continue.
    /// Returns `false` if the child has completed already.
    ///
    /// The cost is linear in the number of live children.
    pub fn cancel_child(&self, id: ChildId) -> bool {
        self.state.cancel_child(id)
    }

    /// Returns `true` if the children were cancelled, by [`cancel`](Self::cancel) or by the panic
    /// of one.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled()
    }

    /// Waits for the next child to complete, and returns its id and outcome. Returns `None` when
    /// none is left.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future loses no outcome.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator would have to block"
    )]
    pub fn next(&mut self) -> NextChild<'_, T> {
        NextChild::new(&self.state)
    }

    /// Returns the outcome of a child that has completed. Returns `None` if no outcome is stored.
    pub fn try_next(&mut self) -> Option<(ChildId, Result<T, TaskError>)> {
        self.state.try_next()
    }

    /// The poll function of [`next`](Self::next).
    pub fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(ChildId, Result<T, TaskError>)>> {
        let state = &self.state;
        state.poll_limited(cx, |cx| state.poll_next(cx.waker()))
    }

    /// Waits until all children have completed and their destructors have run. Returns their
    /// outcomes in spawn order, except those that [`next`](Self::next) returned before.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future loses no outcome.
    pub fn join_all(&mut self) -> JoinAll<'_, T> {
        JoinAll::new(&self.state)
    }

    /// Waits as [`join_all`](Self::join_all) does, and returns the values.
    ///
    /// # Errors
    ///
    /// Returns an error if a child failed: all errors, with the ids of their children.
    ///
    /// # Panics
    ///
    /// Under [`Policy::FailFast`], resumes the earliest panic of a child when all children have
    /// completed.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future loses no outcome.
    pub fn wait(&mut self) -> Wait<'_, T> {
        Wait::new(&self.state)
    }

    /// Cancels all children at the call. The returned future waits as
    /// [`join_all`](Self::join_all) does.
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
        spawn(&self.spawner, &self.state, future.into_future())
    }

    /// Returns a handle with which children can spawn siblings.
    pub fn handle(&self) -> GroupHandle<T, S>
    where
        S: Clone,
    {
        GroupHandle {
            spawner: self.spawner.clone(),
            state: self.state.clone(),
        }
    }
}

/// Futures larger than this, in bytes, are boxed before they are spawned. Otherwise, in unoptimized
/// code, each wrapper would copy them on the stack.
const BOX_THRESHOLD: usize = 16 << 10;

#[track_caller]
fn spawn<F, S>(spawner: &S, state: &Arc<GroupState<F::Output>>, future: F) -> ChildId
where
    S: Spawn,
    F: Future<Output: Send + 'static> + Send + 'static,
{
    if const { size_of::<F>() > BOX_THRESHOLD } {
        spawn_child(spawner, state, Box::pin(future))
    } else {
        spawn_child(spawner, state, future)
    }
}

#[track_caller]
fn spawn_child<F, S>(spawner: &S, state: &Arc<GroupState<F::Output>>, future: F) -> ChildId
where
    S: Spawn,
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let (id, handle) = GroupState::register_child(state, describe_task::<S>);
    let refused = handle.member.is_cancelled();
    let child = Child::new(future, handle);
    if refused {
        drop(child);
    } else {
        spawner.spawn(child);
    }
    id
}

/// Describes the task that polls with a waker of the runtime `S`.
fn describe_task<S: Spawn>(waker: &Waker) -> StartedTask {
    StartedTask {
        canceller: S::canceller(waker),
        id: S::task_id(waker),
    }
}

impl<T, S> Drop for Group<T, S> {
    fn drop(&mut self) {
        self.state.abandon();
    }
}

impl<T, S> fmt::Debug for Group<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("children", &self.state)
            .finish_non_exhaustive()
    }
}

/// Spawns children into a group from anywhere, also from its children.
///
/// It does not keep the group alive. A child that is spawned after the drop of the group is dropped
/// without a poll.
#[derive(Clone)]
pub struct GroupHandle<T, S> {
    spawner: S,
    state: Arc<GroupState<T>>,
}

impl<T: Send + 'static, S: Spawn> GroupHandle<T, S> {
    /// Spawns a child.
    #[track_caller]
    pub fn spawn<I>(&self, future: I) -> ChildId
    where
        I: IntoFuture<Output = T, IntoFuture: Send + 'static>,
    {
        spawn(&self.spawner, &self.state, future.into_future())
    }
}

impl<T, S> GroupHandle<T, S> {
    /// Cancels all children, including those that are spawned later.
    pub fn cancel(&self) {
        self.state.cancel();
    }
}

impl<T, S> fmt::Debug for GroupHandle<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroupHandle")
            .field("children", &self.state)
            .finish_non_exhaustive()
    }
}
