//! `Runtime`: the owner of the workers.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::time::{Duration, Instant};

use super::blocking::JobsOnDrop;
use super::context::EnterGuard;
use super::dump::Dump;
use super::handle::Handle;
use super::pool::Deadlines;
use crate::scheduler::{Stats, Threads};
use crate::task::JoinHandle;

/// A multi-threaded runtime: workers that run tasks, a driver for timers and sockets, and a pool of
/// threads for blocking jobs.
///
/// Dropping the runtime shuts it down:
///
/// - All tasks are cancelled: their futures are dropped, and their handles return an error.
/// - The threads of the workers are joined, each after its current poll. If a poll does not end,
///   the drop waits for at most [`Builder::shutdown_timeout`](super::Builder::shutdown_timeout).
///   [`shutdown`](Self::shutdown) also returns the tasks of such polls.
/// - The drop waits for running blocking jobs, and cancels queued ones; see
///   [`Builder::jobs_on_drop`](super::Builder::jobs_on_drop).
///
/// # Examples
///
/// ```
/// let runtime = volt::Runtime::new()?;
/// let answer = runtime.block_on(async { volt::spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Runtime {
    handle: Handle,
    threads: Option<Threads>,
    shutdown_timeout: Duration,
    jobs_on_drop: JobsOnDrop,
}

impl Runtime {
    pub(super) fn from_parts(
        handle: Handle,
        threads: Threads,
        shutdown_timeout: Duration,
        jobs_on_drop: JobsOnDrop,
    ) -> Self {
        Self {
            handle,
            threads: Some(threads),
            shutdown_timeout,
            jobs_on_drop,
        }
    }

    /// Returns a handle to this runtime.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs `future` as a task, on any worker; see [`Handle::spawn`].
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.handle.spawn(future)
    }

    /// Calls `job` on the pool even if the runtime is shut down while the job is queued; see
    /// [`Handle::spawn_blocking_mandatory`].
    #[track_caller]
    pub fn spawn_blocking_mandatory<F, T>(&self, job: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        self.handle.spawn_blocking_mandatory(job)
    }

    /// Calls `job`, which may block, on a thread of the pool for blocking jobs; see
    /// [`Handle::spawn_blocking`].
    #[track_caller]
    pub fn spawn_blocking<F, T>(&self, job: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        self.handle.spawn_blocking(job)
    }

    /// Polls `future` on this thread until it is ready; see [`Handle::block_on`].
    ///
    /// # Panics
    ///
    /// Panics inside a task and on a worker of a runtime.
    #[track_caller]
    pub fn block_on<F: IntoFuture>(&self, future: F) -> F::Output {
        self.handle.block_on(future)
    }

    /// Enters the runtime on this thread until the guard is dropped; see [`Handle::enter`].
    pub fn enter(&self) -> EnterGuard<'_> {
        self.handle.enter()
    }

    /// Returns a list of the live tasks and their states; see [`Handle::dump`].
    pub fn dump(&self) -> Dump {
        self.handle.dump()
    }

    /// Polls the idle tasks once, and returns a dump with the functions that wait; see
    /// [`Handle::dump_by_poll`].
    #[cfg(feature = "inspect")]
    pub fn dump_by_poll(&self, limits: &super::dump::PollLimits) -> Dump {
        self.handle.dump_by_poll(limits)
    }

    /// Returns counters of the workers and their queues; see [`Handle::stats`].
    #[must_use]
    #[doc(alias = "getStats")]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    /// Shuts the runtime down within the limit, and returns the tasks and blocking jobs that are
    /// stuck: those that are still in a poll, or run, at the deadline. Without such tasks and jobs,
    /// the dump is empty.
    ///
    /// All other tasks are complete when this returns, and their futures are dropped. Queued jobs
    /// are cancelled, except jobs that [must run](Handle::spawn_blocking_mandatory): the runtime
    /// runs them, and the dump contains those that are left. A stuck task ends after its poll, and
    /// the thread of its worker ends then too. A stuck job runs on, until it or the process ends.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// use std::{thread, time::Duration};
    ///
    /// let runtime = volt::Runtime::new()?;
    /// let sluggard = async { thread::sleep(Duration::from_millis(200)) };
    /// let task = runtime.handle().spawn_named("sluggard", sluggard);
    /// thread::sleep(Duration::from_millis(20));
    ///
    /// let stuck = runtime.shutdown(Duration::from_millis(10));
    /// assert_eq!(stuck.tasks()[0].name.as_deref(), Some("sluggard"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn shutdown(mut self, limit: Duration) -> Dump {
        let Some(threads) = self.stop() else {
            return Dump::without_tasks(&self.handle.scheduler);
        };
        let deadline = Instant::now().checked_add(limit);
        threads.join_by(deadline);
        self.handle.finish_blocking(Deadlines {
            mandatory: deadline,
            others: deadline,
        });
        Dump::of_stuck(&self.handle.scheduler, &self.handle.blocking)
    }

    /// Shuts the runtime down without waiting.
    ///
    /// Each worker finishes its current poll, cancels its tasks, and ends. Blocking jobs that run
    /// or must run go on, until they or the process end.
    pub fn shutdown_background(mut self) {
        let threads = self.stop();
        if threads.is_some() {
            self.handle.blocking.end();
        }
    }

    /// Starts the shutdown. Returns the threads at the first call, except in a fork.
    fn stop(&mut self) -> Option<Threads> {
        let threads = self.threads.take()?;
        if self.handle.driver().is_inherited() {
            // The threads do not exist here, and may have held any lock when the process was
            // forked.
            std::mem::forget(threads);
            return None;
        }
        self.handle.scheduler.stop();
        self.handle.blocking.close();
        Some(threads)
    }
}

// Panics of user code are caught at its calls, so no state is left inconsistent.
impl UnwindSafe for Runtime {}
impl RefUnwindSafe for Runtime {}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime")
            .field("handle", &self.handle)
            .finish_non_exhaustive()
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(threads) = self.stop() {
            threads.join_by(Instant::now().checked_add(self.shutdown_timeout));
            self.jobs_on_drop.wait(&self.handle, self.shutdown_timeout);
        }
        // The server shows a shutdown that hangs, so it ends last.
        #[cfg(feature = "inspect")]
        self.handle.stop_inspection();
    }
}
