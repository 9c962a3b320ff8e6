//! Blocking until a task is complete.
//!
//! 1. A task that is in a queue is *claimed* and polled here, on the stack of whoever joins it: no
//!    other task is, so nothing comes to stand on the stack that was not asked for. A thread that
//!    is in no runtime is taken into the task's for that. A blocking job is claimed by another one
//!    only, whose thread is of the same pool.
//! 2. If it is not, or if it waits after that, or if less than half of the stack is left, the thread
//!    sleeps.
//!    What becomes of a worker meanwhile, [`scheduler::block_worker`] decides.
//! 3. Before it sleeps, the thread enters who waits for whom; a join that would close a circle is
//!    refused.

use std::task::{Poll, Waker};

use super::block_on::panic_in_fork;
use super::thread_parker::ThreadParker;
use crate::loom::thread;
use crate::runtime::context;
use crate::scheduler::{self, BlockKind};
use crate::task::{self, CancelOnDrop, JoinError, JoinFrame, JoinHandle, JoinTarget, Lifecycle};

/// How often a thread yields to the one that polls its target before it goes to sleep.
const MAX_YIELDS: usize = 32;

impl<T> JoinHandle<T> {
    /// Blocks this thread until the task is complete.
    ///
    /// Inside of a task, prefer to await: a join keeps the thread. Where that cannot be, in a
    /// destructor or a callback, it is as good as blocking gets. A task that no worker has begun
    /// with yet is polled right here, as long as half of the thread's stack is left. Else the thread
    /// sleeps, and a spare thread takes over its worker's place if nobody polls the task, or if no
    /// other worker is awake. [`Builder::max_spare_threads`](crate::Builder::max_spare_threads)
    /// limits those.
    ///
    /// # Errors
    ///
    /// As awaiting the handle. In three more cases nobody waits; the task is detached then.
    ///
    /// - The wait would never end, as the task, by a join of its own, waits for the one that this is
    ///   called in: see [`JoinError::is_deadlock`]. Tasks that *await* each other in a circle are not
    ///   refused, but a [`Dump`](crate::runtime::Dump::wait_cycles) names them.
    /// - The task needs this very thread, as that of a [`LocalRuntime`](crate::runtime::LocalRuntime) does:
    ///   [`JoinError::is_deadlock`] again. Such a task runs in the next
    ///   [`block_on`](crate::runtime::LocalRuntime::block_on).
    /// - No worker would be awake any more, and there is no spare thread:
    ///   [`JoinError::is_out_of_threads`].
    ///
    /// # Panics
    ///
    /// If the result was taken. In a fork of the process that started the task's runtime, if the task
    /// is not complete.
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
        let joining = JoinFrame::begin();
        if joining.is_inside(target) {
            return Err(JoinError::deadlock(self.id()));
        }
        let runtime_id = context::try_with(|runtime| runtime.scheduler.runtime_id_here()).flatten();
        let is_same_runtime = runtime_id.is_some() && runtime_id == target.runtime_id;
        if task::is_half_of_stack_left() && context::is_available() {
            let is_queued = || self.lifecycle() == Some(Lifecycle::Scheduled);
            if is_same_runtime {
                self.claim(target);
            } else if (runtime_id.is_none() || target.runtime_id.is_none()) && is_queued() {
                self.poll_on_foreign_thread(&mut || self.claim(target));
            }
        }
        for _ in 0..MAX_YIELDS {
            match self.lifecycle() {
                Some(Lifecycle::Running) => thread::yield_now(),
                _ => break,
            }
        }
        self.wait(&joining, target, is_same_runtime)
    }

    /// The result, if it is there.
    fn try_take(&mut self) -> Poll<Result<T, JoinError>> {
        match self.lifecycle() {
            Some(Lifecycle::Complete) => self.poll_blocking(Waker::noop()),
            _ => Poll::Pending,
        }
    }

    /// Polls the task here if it is in a queue.
    fn claim(&self, target: JoinTarget) {
        context::with(|runtime| runtime.scheduler.poll_inline(self, target));
    }

    /// Sleeps until the task is complete.
    fn wait(
        mut self,
        joining: &JoinFrame,
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
        let absence = match self.lifecycle() {
            Some(Lifecycle::Running) => BlockKind::Short,
            _ => BlockKind::Long,
        };
        let sleeper = ThreadParker::of_this_thread();
        let own = scheduler::SchedulerHandle::current()
            .or_else(|| context::try_with(|runtime| runtime.scheduler.clone()));
        let here = scheduler::SchedulerHandle::current().map(|it| it.runtime_id());
        let Ok(_waiting) = joining.wait_for(target, here, sleeper.waker()) else {
            return Err(JoinError::deadlock(self.id()));
        };
        let id = self.id();
        let slept = scheduler::block_worker(absence, |give_way| {
            loop {
                if let Some(own) = own.as_ref().filter(|it| it.is_stopping()) {
                    own.recheck_shutdown_waits();
                }
                if is_same_runtime && context::with(|runtime| runtime.scheduler.is_stopping()) {
                    // Its worker might be this one, which will run nothing any more.
                    self.shut_down();
                }
                if let Poll::Ready(result) = self.poll_blocking(sleeper.waker()) {
                    return result;
                }
                if let Err(none) = give_way() {
                    return Err(JoinError::no_thread(id, none.into()));
                }
                sleeper.park();
            }
        });
        slept.unwrap_or_else(|none| Err(JoinError::no_thread(id, none.into())))
    }
}

impl<T> CancelOnDrop<T> {
    /// As [`JoinHandle::join`]; where that refuses to wait, the task is cancelled.
    ///
    /// # Errors
    ///
    /// As [`JoinHandle::join`].
    ///
    /// # Panics
    ///
    /// As [`JoinHandle::join`].
    #[track_caller]
    pub fn join(self) -> Result<T, JoinError> {
        let refused = self.abort_handle();
        let result = self.into_handle().join();
        if result.is_err() {
            refused.cancel();
        }
        result
    }
}
