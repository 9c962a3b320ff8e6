//! Tasks for other executors.
//!
//! [`spawn`] creates a task from a future and a function that queues the task. It returns the
//! [`Runnable`], which the executor runs, and the [`Task`], which is awaited. A queue of runnables
//! is already an executor.
//!
//! ```
//! use std::sync::mpsc;
//! use volt::raw::{self, RunOutcome};
//! use volt::task::yield_now;
//!
//! let (queue, runnables) = mpsc::channel();
//! let (runnable, task) = raw::spawn(
//!     async {
//!         yield_now().await;
//!         6 * 7
//!     },
//!     move |runnable| queue.send(runnable).unwrap(),
//! );
//! runnable.schedule();
//!
//! while !task.is_finished() {
//!     if let RunOutcome::Woken(runnable) = runnables.recv().unwrap().run() {
//!         runnable.schedule();
//!     }
//! }
//! # futures_lite::future::block_on(async {
//! assert_eq!(task.await.unwrap(), 42);
//! # });
//! ```
//!
//! A task is one allocation, and its waker is a pointer to it. A `Runnable` of a task exists only
//! while the task is queued, and there is one at a time. So all wakes before the next run call the
//! schedule function once.
//!
//! A task that waits without a waker is never woken. While its [`Task`] exists, that can end it. A
//! detached task is cancelled instead: the thread that drops the last waker queues it once more,
//! and its future is dropped when the runnable is run. If a poll leaves no waker, the future is
//! dropped right after that poll. So a task without wakers, runnable and `Task` is not leaked.

pub use super::reference::{RunOutcome, Runnable};

use super::error::JoinError;
use super::handle::JoinHandle;
use super::id::TaskId;
use super::local_task::new_local_task;
use super::memory::Schedule;
use super::new_task::new_task;
use super::orphan::OrphanAction;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Creates a task from a future, which `schedule` queues.
///
/// A wake or a cancellation of a task that waits calls `schedule`, on the same thread. It must not
/// panic. If it drops the runnable, the task is cancelled. [`Runnable::run`] returns a task that
/// was woken during its poll instead. The returned runnable is not queued yet.
#[track_caller]
#[doc(alias = "FutureTask")]
pub fn spawn<F, S>(future: F, schedule: S) -> (Runnable, Task<F::Output>)
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
    S: Fn(Runnable) + Send + Sync + 'static,
{
    let (runnable, handle) = new_task(future, Queue(schedule), Location::caller());
    (runnable, Task::new(handle))
}

/// Creates a task from a future that is bound to this thread. The runnable may move to any thread,
/// but must be run and dropped on this one.
///
/// A runnable that is run, shut down or dropped on another thread ends the task as if it had
/// panicked, and calls the panic hook. This can happen in a correct executor: after its end,
/// `schedule` drops the runnable on the thread that called the waker. The future can be neither
/// polled nor dropped there. It is leaked together with the memory of its task, because other code
/// may point into it.
#[track_caller]
pub fn spawn_local<F, S>(future: F, schedule: S) -> (Runnable, Task<F::Output>)
where
    F: Future + 'static,
    F::Output: 'static,
    S: Fn(Runnable) + Send + Sync + 'static,
{
    let (runnable, handle) = new_local_task(future, Queue(schedule), Location::caller());
    (runnable, Task::new(handle))
}

/// The schedule function of a task.
struct Queue<S>(S);

impl<S: Fn(Runnable) + Send + Sync + 'static> Schedule for Queue<S> {
    fn schedule(&self, task: Runnable) {
        (self.0)(task);
    }

    fn release(&self, _: TaskId) {}

    fn orphan_action(&self) -> OrphanAction {
        OrphanAction::CancelDetached
    }
}

/// The handle of a task of [`spawn`]: a future of the output.
///
/// It returns the output, or a [`JoinError`] if the task was cancelled or panicked. Dropping it
/// *cancels* the task: the next run of the runnable drops the future.
/// [`detach`](Self::detach) lets the task continue.
#[must_use = "dropping a task cancels it; `detach` lets it continue"]
pub struct Task<T>(Option<JoinHandle<T>>);

impl<T> Task<T> {
    fn new(handle: JoinHandle<T>) -> Self {
        Self(Some(handle))
    }

    fn detach_handle(&mut self) {
        if let Some(handle) = self.0.take() {
            handle.detach_or_cancel_orphan();
        }
    }

    fn handle(&self) -> &JoinHandle<T> {
        self.0
            .as_ref()
            .expect("the handle is taken by `detach` and by the drop only")
    }

    /// Detaches the task, which continues without a handle.
    ///
    /// If the task has no waker left, it is cancelled.
    pub fn detach(mut self) {
        self.detach_handle();
    }

    /// Cancels the task and waits until its future is dropped.
    ///
    /// # Errors
    ///
    /// Returns an error for which [`JoinError::is_cancelled`] returns `true`, unless the task
    /// panicked. If the task completed before the cancellation, the result is `Ok` with its output.
    ///
    /// # Cancel safety
    ///
    /// The first poll cancels the task. Dropping the future after that only ends the wait.
    pub async fn cancel(mut self) -> Result<T, JoinError> {
        self.handle().cancel();
        (&mut self).await
    }

    /// Returns `true` if the task is complete, so that an await is ready at once.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.handle().is_finished()
    }

    /// Returns the id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.handle().id()
    }
}

impl<T> Unpin for Task<T> {}

impl<T> Future for Task<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let handle = self
            .0
            .as_mut()
            .expect("the handle is taken by `detach` and by the drop only");
        Pin::new(handle).poll(cx)
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        if let Some(handle) = &self.0 {
            handle.cancel();
        }
        // A shield delays the cancellation, unless the task is an orphan.
        self.detach_handle();
    }
}

impl<T> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("id", &self.id())
            .field("finished", &self.is_finished())
            .finish()
    }
}
