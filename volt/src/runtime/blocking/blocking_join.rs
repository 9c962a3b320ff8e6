//! `JoinHandle::join`: blocking until a task is complete.
//!
//! 1. A queued task is *claimed* and polled on the stack of the joining thread. No other task is
//!    polled, so the stack contains only joined tasks. A thread that is in no runtime enters that
//!    of the task for this poll. Only a job of the same pool claims a blocking job.
//! 2. If the task is not queued, or pending after the poll, or if less than half of the stack is
//!    left, the thread sleeps. [`scheduler::block_worker`] decides what happens to the tasks of its
//!    worker.
//! 3. Before it sleeps, the thread adds an edge to the wait-for graph. A join that would close a
//!    cycle returns an error.

use std::task::{Poll, Waker};

use super::block_on::panic_in_fork;
use super::foreign_thread::ForeignRuntime;
use super::thread_parker::ThreadParker;
use crate::loom::thread;
use crate::runtime::context;
use crate::scheduler::{self, BlockKind};
use crate::task::{self, CancelOnDrop, JoinError, JoinFrame, JoinHandle, JoinTarget, Lifecycle};

/// The maximum number of times that a thread yields to the thread that polls its target.
const MAX_YIELDS: usize = 32;

impl<T> JoinHandle<T> {
    /// Blocks this thread until the task is complete.
    ///
    /// Inside a task, prefer to await the handle, because a join blocks the thread. A join is for
    /// destructors and callbacks, which cannot await.
    ///
    /// If the task is queued, and at least half of the thread's stack is left, the thread polls the
    /// task itself. Otherwise the thread sleeps. A spare thread then takes over the tasks of its
    /// worker, if no thread polls the joined task, or if no other worker is awake.
    /// [`Builder::max_spare_threads`](crate::Builder::max_spare_threads) limits the spare threads.
    ///
    /// # Errors
    ///
    /// Returns an error if awaiting the handle would. In three more cases it returns an error
    /// without waiting, and detaches the task:
    ///
    /// - The task waits, by joins, for the task that this is called in, so the wait would never
    ///   end: [`JoinError::is_deadlock`]. Tasks that *await* each other in a cycle get no error,
    ///   but [`Dump::wait_cycles`](crate::runtime::Dump::wait_cycles) returns them.
    /// - The task can run only on this thread, because it belongs to a
    ///   [`LocalRuntime`](crate::runtime::LocalRuntime): [`JoinError::is_deadlock`]. It runs in the
    ///   next [`block_on`](crate::runtime::LocalRuntime::block_on).
    /// - No other worker is awake, and no spare thread is left:
    ///   [`JoinError::is_out_of_threads`].
    ///
    /// # Panics
    ///
    /// Panics if the result was already taken. Panics in a fork of the process that started the
    /// runtime of the task, if the task is not complete.
    ///
    /// # Examples
    ///
    /// ```
    /// fn fib(n: u32) -> u64 {
    ///     if n < 2 {
    ///         return n.into();
    ///     }
    ///     let other = volt::spawn(async move { fib(n - 1) });
    ///     fib(n - 2) + other.join().unwrap()
    /// }
    ///
    /// let runtime = volt::Runtime::new()?;
    /// assert_eq!(runtime.spawn(async { fib(10) }).join().unwrap(), 55);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[doc(alias("helpUntilComplete", "blockOnComplete"))]
    #[track_caller]
    pub fn join(self) -> Result<T, JoinError> {
        let target = self.target();
        let frame = JoinFrame::begin();
        if frame.is_inside(target) {
            return Err(JoinError::deadlock(self.id()));
        }
        let runtime_id = context::try_with(|runtime| runtime.scheduler.runtime_id_here()).flatten();
        let is_same_runtime = runtime_id.is_some() && runtime_id == target.runtime_id;
        if task::is_half_of_stack_left() && context::is_available() {
            let is_queued = || self.lifecycle() == Some(Lifecycle::Scheduled);
            if is_same_runtime {
                self.claim(target);
            } else if (runtime_id.is_none() || target.runtime_id.is_none()) && is_queued() {
                self.claim_as_foreign(target);
            }
        }
        for _ in 0..MAX_YIELDS {
            match self.lifecycle() {
                Some(Lifecycle::Running) => thread::yield_now(),
                _ => break,
            }
        }
        self.wait(&frame, target, is_same_runtime)
    }

    /// Returns the result if the task is complete.
    fn try_take(&mut self) -> Poll<Result<T, JoinError>> {
        match self.lifecycle() {
            Some(Lifecycle::Complete) => self.poll_blocking(Waker::noop()),
            _ => Poll::Pending,
        }
    }

    /// Polls the task on this thread if it is queued.
    fn claim(&self, target: JoinTarget) {
        context::with(|runtime| runtime.scheduler.poll_inline(self, target));
    }

    /// Enters the runtime of the task, and polls the task there if the scheduler permits it.
    fn claim_as_foreign(&self, target: JoinTarget) {
        if let Some(runtime) = self.foreign_runtime::<ForeignRuntime>() {
            let _poll = runtime.enter();
            self.claim(target);
        }
    }

    /// Sleeps until the task is complete.
    fn wait(
        mut self,
        frame: &JoinFrame,
        target: JoinTarget,
        is_same_runtime: bool,
    ) -> Result<T, JoinError> {
        if let Poll::Ready(result) = self.try_take() {
            return result;
        }
        if target
            .runtime_id
            .is_some_and(scheduler::is_pinned_to_this_thread)
        {
            return Err(JoinError::needs_this_thread(self.id()));
        }
        panic_in_fork(self.is_inherited());
        let kind = match self.lifecycle() {
            Some(Lifecycle::Running) => BlockKind::Short,
            _ => BlockKind::Long,
        };
        let parker = ThreadParker::of_this_thread();
        let own_scheduler = scheduler::SchedulerHandle::current()
            .or_else(|| context::try_with(|runtime| runtime.scheduler.clone()));
        let worker_of =
            scheduler::SchedulerHandle::current().map(|scheduler| scheduler.runtime_id());
        let Ok(_waiting) = frame.wait_for(target, worker_of, parker.waker()) else {
            return Err(JoinError::deadlock(self.id()));
        };
        let id = self.id();
        let joined = scheduler::block_worker(kind, |release_core| {
            loop {
                if let Some(scheduler) = own_scheduler
                    .as_ref()
                    .filter(|scheduler| scheduler.is_stopping())
                {
                    scheduler.recheck_shutdown_waits();
                }
                if is_same_runtime && context::with(|runtime| runtime.scheduler.is_stopping()) {
                    // The task may be queued at this worker, which runs no task any more.
                    self.shut_down();
                }
                if let Poll::Ready(result) = self.poll_blocking(parker.waker()) {
                    return result;
                }
                if let Err(error) = release_core() {
                    return Err(JoinError::no_thread(id, error.into()));
                }
                parker.park();
            }
        });
        joined.unwrap_or_else(|error| Err(JoinError::no_thread(id, error.into())))
    }
}

impl<T> CancelOnDrop<T> {
    /// Blocks this thread until the task is complete; see [`JoinHandle::join`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`JoinHandle::join`]. If it returns without waiting, the task is
    /// cancelled.
    ///
    /// # Panics
    ///
    /// Panics if [`JoinHandle::join`] does.
    #[track_caller]
    pub fn join(self) -> Result<T, JoinError> {
        let abort = self.abort_handle();
        let result = self.into_handle().join();
        if result.is_err() {
            abort.cancel();
        }
        result
    }
}
