//! The runtime as its owner holds it.

use super::context::EnterGuard;
use super::dump::Dump;
use super::handle::Handle;
use crate::scheduler::{Stats, Threads};
use crate::task::JoinHandle;

/// A multi-threaded runtime: workers that run tasks, a driver for timers and sockets, and a pool
/// for what blocks.
///
/// Dropping it ends it: every task that is left is cancelled, its future dropped and its handle
/// completed, and the workers' threads are joined, each after the poll that it is in.
///
/// # Examples
///
/// ```
/// let runtime = volt::Runtime::new()?;
/// let answer = runtime.block_on(async { volt::spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Runtime {
    handle: Handle,
    threads: Option<Threads>,
}

impl Runtime {
    pub(super) fn from_parts(handle: Handle, threads: Threads) -> Self {
        Self {
            handle,
            threads: Some(threads),
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
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    fn end(&mut self) {
        let Some(threads) = self.threads.take() else {
            return;
        };
        self.handle.scheduler.stop();
        self.handle.blocking.close();
        threads.join();
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.end();
    }
}
