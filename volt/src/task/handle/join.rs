//! `JoinHandle` and `AbortHandle`: the public handles of a task.

use super::join_interest::{JoinInterest, TAKEN};
use super::task_ref::TaskRef;
use crate::task::coop;
use crate::task::error::JoinError;
use crate::task::id::TaskId;
use crate::task::reference::RunOutcome;
use crate::task::word::Lifecycle;
use std::any::Any;
use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use volt_inspect::{Inspect, Inspector, Node, Wait, register_unpin, registrable};

/// The handle of a task: a future of the output.
///
/// Awaiting the handle does not run the task. Polling the task inline would save a trip through a
/// queue, but use the stack and the budget of the awaiting task. A blocking [`join`](Self::join)
/// does run its target, because its thread has no other work.
///
/// Dropping the handle *detaches* the task: the task continues, and its output is dropped when it
/// completes. [`cancel`](Self::cancel) stops the task.
///
/// # In a race
///
/// A `race`, a `select` or a [`timeout`](fn@crate::time::timeout) that drops a handle ends the
/// wait, but not the task. To end the task with the wait, race
/// [`handle.cancel_on_drop()`](Self::cancel_on_drop). If the future need not be a task, race the
/// future itself.
///
/// # Cancel safety
///
/// Dropping an await of `&mut handle` loses nothing. Another await returns the output.
///
/// # Panics
///
/// An await of `&mut handle` takes the result out of the handle. Another await after that panics,
/// and so does [`join`](Self::join). The other methods may still be called:
/// [`is_finished`](Self::is_finished) returns `true`, and [`cancel`](Self::cancel) does nothing.
#[must_use = "dropping a handle detaches its task; call `detach` to do so explicitly"]
pub struct JoinHandle<T>(JoinInterest<T>);

impl<T> Unpin for JoinHandle<T> {}
impl<T> UnwindSafe for JoinHandle<T> {}
impl<T> RefUnwindSafe for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    pub(in crate::task) fn new(joiner: JoinInterest<T>) -> Self {
        register_unpin::<Self>();
        Self(joiner)
    }

    /// Requests the cancellation of the task.
    ///
    /// A task that waits or is queued is not polled again. A task that is being polled continues to
    /// its next await. Then its future is dropped, and the handle returns an error for which
    /// [`JoinError::is_cancelled`] returns `true`. A [shield](fn@crate::task::shield) delays the
    /// cancellation. A task that completes first keeps its output.
    pub fn cancel(&self) {
        if let Some(task) = self.0.task() {
            task.cancel();
        }
    }

    /// Returns a handle that can only cancel the task. A task may have any number of them.
    #[must_use]
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle(self.0.task().map(TaskRef::new).ok_or(self.id()))
    }

    /// Returns `true` if the task is complete, so that an await is ready at once.
    #[must_use]
    #[doc(alias("isDone", "isComplete"))]
    pub fn is_finished(&self) -> bool {
        let task = self.0.task();
        task.is_none_or(|task| task.state().load().is_complete())
    }

    /// Returns the id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.0.id()
    }

    /// Detaches the task, which continues without a handle.
    pub fn detach(self) {}

    /// Detaches the task, and cancels it if it is marked as an orphan; for
    /// `OrphanAction::CancelDetached`.
    ///
    /// A thread that marks the task later sees that it has no handle, and cancels it.
    pub(in crate::task) fn detach_or_cancel_orphan(self) {
        let task = self.0.task().map(TaskRef::new);
        drop(self);
        if let Some(task) = task {
            task.cancel_orphan();
        }
    }

    /// Polls the task on this thread if it is in a queue. Its entry there becomes stale.
    ///
    /// Calls `begin` before the poll. Returns `None` if the task is idle, runs or is complete.
    pub(crate) fn run_inline(&self, begin: impl FnOnce()) -> Option<RunOutcome> {
        self.0.task()?.run_inline(begin).map(RunOutcome::from)
    }

    /// Returns the task as the target of a blocking join.
    ///
    /// # Panics
    ///
    /// Panics if the result was taken.
    #[track_caller]
    pub(crate) fn target(&self) -> JoinTarget {
        let task = self.0.task().expect(TAKEN);
        JoinTarget {
            address: task.as_raw().addr().get(),
            runtime_id: task.runtime_id(),
        }
    }

    /// Returns the runtime of the task for this thread, which is outside of it.
    ///
    /// Returns `None` if the scheduler permits no polls on this thread, or if the result was taken.
    pub(crate) fn foreign_runtime<R: Any>(&self) -> Option<R> {
        let mut slot = None::<R>;
        self.0.task()?.store_foreign_runtime(&mut slot);
        slot
    }

    /// Returns `true` if this process is a fork, and the scheduler of the task runs only in its
    /// parent.
    pub(crate) fn is_inherited(&self) -> bool {
        self.0.task().is_some_and(|task| task.is_inherited())
    }

    /// Reports to the current node of an inspector that it waits for the task or job.
    pub(crate) fn report_wait(&self, inspector: &mut Inspector<'_>) {
        let id = self.id().to_bits();
        inspector.waits(if self.is_job() {
            Wait::Job { id: Some(id) }
        } else {
            Wait::Task { id }
        });
    }

    /// Returns `true` if the handle is that of a blocking job whose result was not taken.
    fn is_job(&self) -> bool {
        self.0.task().is_some_and(|task| task.is_job())
    }

    /// Returns the state of the task, or `None` if its result was taken.
    pub(crate) fn lifecycle(&self) -> Option<Lifecycle> {
        Some(self.0.task()?.state().load().lifecycle())
    }

    /// Polls the handle for a thread that blocks, without charging the budget.
    pub(crate) fn poll_blocking(&mut self, waker: &Waker) -> Poll<Result<T, JoinError>> {
        self.0.poll(waker)
    }

    /// Stops the task on this thread if it does not run. Otherwise requests its cancellation.
    pub(crate) fn shut_down(&self) {
        if let Some(task) = self.0.task() {
            TaskRef::new(task).shutdown();
        }
    }

    /// Returns a reference by which a test inspects the task.
    #[cfg(test)]
    pub(in crate::task) fn task_ref(&self) -> TaskRef {
        TaskRef::new(self.0.task().expect("the result is not taken"))
    }
}

/// The target of a blocking join.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JoinTarget {
    /// The address of the task, which is valid while the handle exists.
    pub(crate) address: usize,
    /// [`Schedule::runtime_id`](crate::task::Schedule::runtime_id).
    pub(crate) runtime_id: Option<NonZeroUsize>,
}

impl<T> crate::machine::RunsUnpolled for JoinHandle<T> {}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let budget = ready!(coop::poll_proceed(cx));
        let result = ready!(self.0.poll(cx.waker()));
        budget.made_progress();
        Poll::Ready(result)
    }
}

impl<T> Inspect for JoinHandle<T> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("JoinHandle"), |inspector| {
            self.report_wait(inspector);
        });
    }
}

registrable!(JoinHandle<T>);

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle")
            .field("id", &self.id())
            .field("finished", &self.is_finished())
            .finish()
    }
}

/// A handle that cancels a task, without owning its output.
///
/// It keeps the memory of the task allocated, but not its future. A task can distinguish at most 62
/// of them, clones included, from its wakers. With more at the same time, the task is no longer
/// detected as [an orphan](crate::Builder::orphans).
#[derive(Clone)]
pub struct AbortHandle(Result<TaskRef, TaskId>);

impl AbortHandle {
    /// Requests the cancellation of the task, see [`JoinHandle::cancel`].
    pub fn cancel(&self) {
        if let Ok(task) = &self.0 {
            task.cancel();
        }
    }

    /// Returns `true` if the task is complete.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        match &self.0 {
            Ok(task) => task.is_complete(),
            Err(_) => true,
        }
    }

    /// Returns the id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        match &self.0 {
            Ok(task) => task.id(),
            Err(id) => *id,
        }
    }
}

impl UnwindSafe for AbortHandle {}
impl RefUnwindSafe for AbortHandle {}

impl fmt::Debug for AbortHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbortHandle")
            .field("id", &self.id())
            .field("finished", &self.is_finished())
            .finish()
    }
}
