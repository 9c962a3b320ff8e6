//! The handles of a task.

use super::join_interest::{JoinInterest, TAKEN};
use super::task_ref::TaskRef;
use crate::task::coop;
use crate::task::error::JoinError;
use crate::task::id::TaskId;
use crate::task::reference::RunOutcome;
use crate::task::word::Lifecycle;
use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

/// The owned end of a task: a future of its output.
///
/// An await waits, and runs nothing: the task has its turn when a worker comes to it. To run it
/// inside would spare its way through a queue, and cost the stack of the one that awaits, its budget
/// and its place. A blocking [`join`](Self::join), which has nothing else to do with its thread, does
/// run its target.
///
/// Dropping the handle *detaches* the task: it runs on, and its output is dropped the moment it
/// is there. [`cancel`](Self::cancel) stops it.
///
/// # In a race
///
/// A handle is not its task, only somebody who waits for it. A `race`, a `select` or a
/// [`timeout`](fn@crate::time::timeout) that drops a handle gives up the wait, and the task runs on
/// unseen. Where the task should end with the wait, race
/// [`handle.cancel_on_drop()`](Self::cancel_on_drop); where it need not be a task, race the future
/// itself.
///
/// # Cancel safety
///
/// Dropping an await of `&mut handle` loses nothing; awaiting again gets the output.
///
/// # Panics
///
/// An await of `&mut handle` takes the result out of it. Another await after that panics, and so does
/// [`join`](Self::join). All else may still be called: [`is_finished`](Self::is_finished) is true, and
/// [`cancel`](Self::cancel) does nothing.
#[must_use = "dropping a handle detaches its task; `detach` says so"]
pub struct JoinHandle<T>(JoinInterest<T>);

impl<T> Unpin for JoinHandle<T> {}
impl<T> UnwindSafe for JoinHandle<T> {}
impl<T> RefUnwindSafe for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    pub(in crate::task) fn new(joiner: JoinInterest<T>) -> Self {
        Self(joiner)
    }

    /// Asks the task to stop.
    ///
    /// A task that waits or is queued is not polled again; one that is being polled may go on
    /// to its next await. Then its future is dropped, and the handle gets an error for which
    /// [`JoinError::is_cancelled`] holds. A [shield](crate::task::shield) puts that off, and a task
    /// that completes first has its output after all.
    pub fn cancel(&self) {
        if let Some(task) = self.0.task() {
            task.cancel();
        }
    }

    /// A handle that can only cancel the task; there may be any number of them.
    #[must_use]
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle(self.0.task().map(TaskRef::new).ok_or(self.id()))
    }

    /// True if the task is complete: an await will not wait.
    #[must_use]
    #[doc(alias("isDone", "isComplete"))]
    pub fn is_finished(&self) -> bool {
        let task = self.0.task();
        task.is_none_or(|task| task.state().load().is_complete())
    }

    /// The id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.0.id()
    }

    /// Lets the task run on, on its own.
    pub fn detach(self) {}

    /// Leaves the task, and ends it if it was found that nobody can wake it; for tasks with
    /// `OrphanAction::CancelDetached`.
    ///
    /// Whoever finds that later sees that the handle is gone.
    pub(in crate::task) fn leave(self) {
        let task = self.0.task().map(TaskRef::new);
        drop(self);
        if let Some(task) = task {
            task.cancel_orphan();
        }
    }

    /// Polls the task here, on this thread, if it is in a queue; the entry there turns stale.
    /// Calls `begin` first; or answers `None` if the task waits, runs elsewhere or is complete.
    pub(crate) fn run_inline(&self, begin: impl FnOnce()) -> Option<RunOutcome> {
        self.0.task()?.run_inline(begin).map(RunOutcome::from)
    }

    /// The task, to those who block until it is complete.
    ///
    /// # Panics
    ///
    /// If the result was taken.
    #[track_caller]
    pub(crate) fn target(&self) -> JoinTarget {
        let task = self.0.task().expect(TAKEN);
        JoinTarget {
            address: task.as_raw().addr().get(),
            runtime_id: task.runtime_id(),
        }
    }

    /// Calls `run`, in which the task may be polled, if this thread may do that, which is in no
    /// runtime.
    pub(crate) fn poll_on_foreign_thread(&self, run: &mut dyn FnMut()) -> bool {
        self.0
            .task()
            .is_some_and(|task| task.poll_on_foreign_thread(run))
    }

    /// Whether the task is not run in this process, as its scheduler stayed behind when it was
    /// forked.
    pub(crate) fn is_inherited(&self) -> bool {
        self.0.task().is_some_and(|task| task.is_inherited())
    }

    /// Where the task stands, if its result is not taken.
    pub(crate) fn lifecycle(&self) -> Option<Lifecycle> {
        Some(self.0.task()?.state().load().lifecycle())
    }

    /// Polls the handle for a thread that blocks, whose budget does not count.
    pub(crate) fn poll_blocking(&mut self, waker: &Waker) -> Poll<Result<T, JoinError>> {
        self.0.poll(waker)
    }

    /// Stops the task here and now if nobody else has it; else asks it to stop.
    pub(crate) fn shut_down(&self) {
        if let Some(task) = self.0.task() {
            TaskRef::new(task).shutdown();
        }
    }

    /// A reference to look at the task by.
    #[cfg(test)]
    pub(in crate::task) fn task_ref(&self) -> TaskRef {
        TaskRef::new(self.0.task().expect("the result is not taken"))
    }
}

/// A task that somebody blocks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JoinTarget {
    /// Its address, for as long as the handle is there.
    pub(crate) address: usize,
    /// [`Schedule::runtime_id`](crate::task::Schedule::runtime_id).
    pub(crate) runtime_id: Option<NonZeroUsize>,
}

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

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle")
            .field("id", &self.id())
            .field("finished", &self.is_finished())
            .finish()
    }
}

/// Cancels a task from anywhere, without owning its output.
///
/// It keeps the memory of the task, and nothing else of it. More than 62 of them at the same moment,
/// clones too, are more than a task can tell from its wakers: then it is not found any more
/// [when nobody can wake it](crate::Builder::orphans).
#[derive(Clone)]
pub struct AbortHandle(Result<TaskRef, TaskId>);

impl AbortHandle {
    /// As [`JoinHandle::cancel`].
    pub fn cancel(&self) {
        if let Ok(task) = &self.0 {
            task.cancel();
        }
    }

    /// As [`JoinHandle::is_finished`].
    #[must_use]
    pub fn is_finished(&self) -> bool {
        match &self.0 {
            Ok(task) => task.is_complete(),
            Err(_) => true,
        }
    }

    /// The id of the task.
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
