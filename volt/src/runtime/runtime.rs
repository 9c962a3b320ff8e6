//! The runtime as its owner holds it.

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

/// A multi-threaded runtime: workers that run tasks, a driver for timers and sockets, and a pool
/// for what blocks.
///
/// Dropping it ends it: every task that is left is cancelled, its future dropped and its handle
/// completed, and the workers' threads are joined, each after the poll that it is in. A poll that
/// does not end is waited for as long as [`Builder::shutdown_timeout`](super::Builder::shutdown_timeout)
/// says; [`shutdown`](Self::shutdown) tells which task that was. Blocking jobs that have begun are
/// waited for, those that have not are cancelled: see
/// [`Builder::jobs_on_drop`](super::Builder::jobs_on_drop).
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

    /// Returns a handle, by which others reach this runtime.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs `future` as a task of its own, on any worker; see [`Handle::spawn`].
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.handle.spawn(future)
    }

    /// Calls `job`, which may block, on a thread kept for that, and runs it at the end of the runtime at
    /// the latest; see [`Handle::spawn_blocking_mandatory`].
    #[track_caller]
    pub fn spawn_blocking_mandatory<F, T>(&self, job: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        self.handle.spawn_blocking_mandatory(job)
    }

    /// Calls `job`, which may block, on a thread kept for that; see [`Handle::spawn_blocking`].
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
    /// On a worker of a runtime.
    #[track_caller]
    pub fn block_on<F: IntoFuture>(&self, future: F) -> F::Output {
        self.handle.block_on(future)
    }

    /// Takes this thread into the runtime until the guard is dropped; see [`Handle::enter`].
    pub fn enter(&self) -> EnterGuard<'_> {
        self.handle.enter()
    }

    /// Lists the live tasks and where each of them stands; see [`Handle::dump`].
    pub fn dump(&self) -> Dump {
        self.handle.dump()
    }

    /// Tells what the workers have done so far; see [`Handle::stats`].
    #[must_use]
    #[doc(alias = "getStats")]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    /// Ends the runtime in at most so long, and tells which tasks and blocking jobs are stuck: those
    /// that are still being polled, or run, when the time is over. The dump is empty if there are
    /// none.
    ///
    /// All other tasks are complete by then, their futures dropped, and all jobs that had not begun
    /// are cancelled, except those that
    /// [must run](Handle::spawn_blocking_mandatory): the runtime runs them, and the dump names those
    /// that are left. A task that is stuck ends with its poll, and its worker's thread with it. A job
    /// that is stuck runs on, until it or the process ends.
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
            // In a fork: the locks of the pool may be held for ever.
            return Dump::of_tasks(&self.handle.scheduler);
        };
        let deadline = Instant::now().checked_add(limit);
        threads.join_by(deadline);
        self.handle.finish_blocking(Deadlines {
            mandatory: deadline,
            others: deadline,
        });
        Dump::of_stuck(&self.handle.scheduler, &self.handle.blocking)
    }

    /// Ends the runtime without waiting for anything: its workers stop all tasks, each when the
    /// poll that it is in is over, and end. Blocking jobs that have begun or must run go on, until they
    /// or the process end.
    pub fn shutdown_background(mut self) {
        let threads = self.stop();
        if threads.is_some() {
            self.handle.blocking.end();
        }
    }

    /// Begins the end; the threads are there the first time.
    fn stop(&mut self) -> Option<Threads> {
        let threads = self.threads.take()?;
        if self.handle.driver().is_inherited() {
            // They are not here, and may have held any lock as the process was forked.
            std::mem::forget(threads);
            return None;
        }
        self.handle.scheduler.stop();
        self.handle.blocking.close();
        Some(threads)
    }
}

// Panics of the user's code are caught where it is called, and leave nothing half-changed.
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
    }
}
