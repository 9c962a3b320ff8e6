//! The task alone, on an executor of your own.
//!
//! [`spawn`] makes a task of a future and of a function that queues it. What comes back is the
//! [`Runnable`], to be run when its turn comes, and the [`Task`], which is awaited. Everything else
//! is up to you: a queue is an executor.
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
//! A task is one allocation, and a waker of it a pointer. There is one `Runnable` of a task at a
//! time, and only while it is to be run: so the function that queues it is called once for all
//! wakes up to the next run.
//!
//! A task that waits while no waker of it is left will never be woken. As long as there is its
//! [`Task`], that can end it. One that is detached is cancelled: it is queued once more, by whoever
//! drops the last waker, and its future dropped when the runnable is run; or, if a poll leaves no
//! waker, right after that poll. So no task is leaked whose wakers, runnable and `Task` are gone.

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

/// Makes a task of a future, to be queued by `schedule`.
///
/// `schedule` is called when the task is woken or cancelled while it waits, on the thread that does
/// so. A task that is woken while it runs is handed back by [`Runnable::run`] instead. It must not
/// panic; if it drops the runnable, the task is cancelled. The first runnable, which is returned,
/// has not been queued.
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

/// As [`spawn`], for a future that stays on this thread: the runnable may go anywhere, but is to be
/// run here, and the task ended here.
///
/// A runnable that is run, shut down or dropped on another thread ends the task as if it had
/// panicked, and the panic hook hears of it. That happens without any mistake of the executor's too:
/// when `schedule` drops the runnable because the executor is gone, on the thread that called the
/// waker. The future can be neither polled nor dropped there, so it is leaked: it stays as it is for
/// ever, and so does the memory of its task, which others may point into.
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

/// The function that queues.
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

/// The owned end of a task that was made by [`spawn`]: a future of its output.
///
/// It gives `Ok` with the output, or a [`JoinError`] if the task was cancelled or has panicked.
/// Dropping it *cancels* the task: the future is dropped where the runnable is, when that is run
/// next. [`detach`](Self::detach) lets it run on.
#[must_use = "dropping a task cancels it; `detach` lets it run on"]
pub struct Task<T>(Option<JoinHandle<T>>);

impl<T> Task<T> {
    fn new(handle: JoinHandle<T>) -> Self {
        Self(Some(handle))
    }

    fn leave(&mut self) {
        if let Some(handle) = self.0.take() {
            handle.leave();
        }
    }

    fn handle(&self) -> &JoinHandle<T> {
        self.0.as_ref().expect("it is taken out at the end only")
    }

    /// Lets the task run on, on its own.
    ///
    /// If nobody is left to wake it, it is cancelled.
    pub fn detach(mut self) {
        self.leave();
    }

    /// Cancels the task, and waits until its future is dropped.
    ///
    /// # Errors
    ///
    /// As an await: as a rule an error for which [`JoinError::is_cancelled`] holds. A task that was
    /// done before has its output after all.
    ///
    /// # Cancel safety
    ///
    /// The task is cancelled by the first poll; dropping the future after that only gives up the
    /// wait.
    pub async fn cancel(mut self) -> Result<T, JoinError> {
        self.handle().cancel();
        (&mut self).await
    }

    /// True if the task is complete: an await will not wait.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.handle().is_finished()
    }

    /// The id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.handle().id()
    }
}

impl<T> Unpin for Task<T> {}

impl<T> Future for Task<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let handle = self.0.as_mut().expect("it is taken out at the end only");
        Pin::new(handle).poll(cx)
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        if let Some(handle) = &self.0 {
            handle.cancel();
        }
        // A shield puts that off, but not for ever.
        self.leave();
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
