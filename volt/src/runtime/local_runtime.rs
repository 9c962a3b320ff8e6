//! A runtime on one thread, as its owner holds it.

use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::time::Duration;

use super::blocking::JobsOnDrop;
use super::blocking::{panic_in_fork, panic_on_worker};
use super::context::{self, EnterGuard};
use super::dump::Dump;
use super::dump::recorded_while_pending;
use super::handle::Handle;
use crate::scheduler::{LocalWorker, Stats};
use crate::task::{JoinHandle, boxed_if_large};

/// A runtime that runs everything on the thread that calls [`block_on`](Self::block_on).
///
/// It has the timers, sockets, handles and the pool for what blocks that a
/// [`Runtime`](super::Runtime) has, but no worker threads: its tasks run while this thread is in
/// `block_on`, and rest otherwise. It stays on its thread, and so it can run futures that do too:
/// see [`spawn_local`](Self::spawn_local).
///
/// Tasks run in the order in which they were spawned or woken, whatever the time it takes, as long
/// as no more than 256 are queued. So a program that gets nothing from outside, with a [paused
/// clock](crate::time::pause), does the same each time. A [seed](super::Builder::seed) draws
/// another order, and the same each time for the same seed.
///
/// Dropping it ends it: every task that is left is cancelled, its future dropped and its handle
/// completed. Blocking jobs end as those of a [`Runtime`](super::Runtime) do. It is made by
/// [`Builder::build_local`](super::Builder::build_local).
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
/// use std::rc::Rc;
/// use volt::LocalRuntime;
///
/// let runtime = LocalRuntime::new()?;
/// let count = Rc::new(Cell::new(0));
/// runtime.block_on(async {
///     let counted = Rc::clone(&count);
///     let task = volt::spawn_local(async move { counted.set(counted.get() + 1) });
///     task.await.unwrap();
/// });
/// assert_eq!(count.get(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct LocalRuntime {
    handle: Handle,
    /// There until the drop.
    worker: Option<LocalWorker>,
    shutdown_timeout: Duration,
    jobs_on_drop: JobsOnDrop,
}

impl LocalRuntime {
    pub(super) fn from_parts(
        handle: Handle,
        worker: LocalWorker,
        shutdown_timeout: Duration,
        jobs_on_drop: JobsOnDrop,
    ) -> Self {
        Self {
            handle,
            worker: Some(worker),
            shutdown_timeout,
            jobs_on_drop,
        }
    }

    /// Returns a handle, by which others reach this runtime, from other threads too.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Polls `future` on this thread until it is ready, and runs the tasks of this runtime
    /// meanwhile. What is left of them then goes on in the next call.
    ///
    /// [`Handle::block_on`] is another matter: it only polls its own future, and is for other
    /// threads.
    ///
    /// # Panics
    ///
    /// On a worker of a runtime, which includes this thread while it is in `block_on`.
    #[track_caller]
    pub fn block_on<F: IntoFuture>(&self, future: F) -> F::Output {
        panic_on_worker();
        panic_in_fork(self.handle.driver().is_inherited());
        let _entered = self.handle.enter();
        let runtime_id = self.handle.scheduler.runtime_id();
        let location = Location::caller();
        boxed_if_large!(F::IntoFuture, future.into_future(), |future| {
            self.worker()
                .block_on(recorded_while_pending(future, runtime_id, location))
        })
    }

    /// Runs `future` as a task of its own; see [`Handle::spawn`].
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.handle.spawn(future)
    }

    /// Runs `future`, which need not be `Send`, as a task of its own on this thread.
    ///
    /// Its wakers and its handle may go to other threads; what they wake runs here all the same.
    /// Where a machine in such a task stands, [`dump`](Self::dump) does not tell.
    #[track_caller]
    pub fn spawn_local<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
    {
        let location = Location::caller();
        boxed_if_large!(F, |future, location| self.worker().spawn(future, location))
    }

    /// Takes this thread into the runtime until the guard is dropped; see [`Handle::enter`].
    pub fn enter(&self) -> EnterGuard<'_> {
        self.handle.enter()
    }

    /// Lists the live tasks and where each of them stands; see [`Handle::dump`].
    pub fn dump(&self) -> Dump {
        self.handle.dump()
    }

    /// Tells what was done so far; see [`Handle::stats`].
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    fn worker(&self) -> &LocalWorker {
        let worker = self.worker.as_ref();
        worker.expect("it is there until the drop")
    }
}

// Panics of the user's code are caught where it is called, and leave nothing half-changed.
impl UnwindSafe for LocalRuntime {}
impl RefUnwindSafe for LocalRuntime {}

impl fmt::Debug for LocalRuntime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalRuntime")
            .field("handle", &self.handle)
            .finish_non_exhaustive()
    }
}

impl Drop for LocalRuntime {
    fn drop(&mut self) {
        if self.handle.driver().is_inherited() {
            // What it watches, the other process watches by the same descriptor.
            std::mem::forget(self.worker.take());
            return;
        }
        // Destructors of futures may look for their runtime.
        let _entered = self.handle.enter();
        self.handle.scheduler.stop();
        self.handle.blocking.close();
        drop(self.worker.take());
        self.jobs_on_drop.wait(&self.handle, self.shutdown_timeout);
    }
}

/// As [`LocalRuntime::spawn_local`], on the one that this thread is in.
///
/// # Panics
///
/// Outside of [`LocalRuntime::block_on`]: on the workers of a [`Runtime`](super::Runtime) too,
/// whose tasks go from thread to thread.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
///
/// volt::LocalRuntime::new()?.block_on(async {
///     let text = Rc::new("not `Send`");
///     let task = volt::spawn_local(async move { Rc::clone(&text) });
///     assert_eq!(*task.await.unwrap(), "not `Send`");
/// });
/// # Ok::<(), std::io::Error>(())
/// ```
#[track_caller]
pub fn spawn_local<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
{
    let location = Location::caller();
    let task = boxed_if_large!(F, |future, location| {
        context::with(|handle| handle.scheduler.spawn_local(future, location)).ok()
    });
    let Some(task) = task else {
        panic!(
            "`spawn_local` needs a thread that stays with its tasks: call it inside \
             `LocalRuntime::block_on`, or use `spawn`"
        );
    };
    task
}
