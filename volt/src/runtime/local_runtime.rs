//! `LocalRuntime`: a runtime on one thread.

use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::time::Duration;

use super::blocking::JobsOnDrop;
use super::blocking::{panic_in_fork, panic_on_worker};
use super::context::{self, EnterGuard};
use super::dump::BlockOnFuture;
use super::dump::Dump;
use super::handle::Handle;
use crate::scheduler::{LocalWorker, Stats};
use crate::task::{JoinHandle, boxed_if_large};

/// A runtime that runs everything on the thread that calls [`block_on`](Self::block_on).
///
/// It has timers, sockets, handles and a pool for blocking jobs like a [`Runtime`](super::Runtime),
/// but no worker threads: its tasks run only while its thread is in `block_on`. It cannot move to
/// another thread, so it can run futures that are not `Send`; see
/// [`spawn_local`](Self::spawn_local).
///
/// Tasks run in the order in which they were spawned or woken, as long as at most 256 are queued.
/// So a program without external input, on a [paused clock](crate::time::pause), does the same in
/// each run. A [seed](super::Builder::seed) selects another order, which is the same for the same
/// seed.
///
/// Dropping the runtime cancels all tasks: their futures are dropped, and their handles return an
/// error. Blocking jobs end like those of a [`Runtime`](super::Runtime).
/// [`Builder::build_local`](super::Builder::build_local) creates a configured runtime.
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
    /// Present until the drop.
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

    /// Returns a handle to this runtime, which other threads can use too.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Polls `future` on this thread until it is ready, and runs the tasks of this runtime
    /// meanwhile. Tasks that are not complete then go on in the next call.
    ///
    /// [`Handle::block_on`], in contrast, is for other threads and polls only its own future.
    ///
    /// # Panics
    ///
    /// Panics inside a task and on a worker of a runtime, which includes this thread while it is in
    /// `block_on`.
    #[track_caller]
    pub fn block_on<F: IntoFuture>(&self, future: F) -> F::Output {
        panic_on_worker();
        panic_in_fork(self.handle.driver().is_inherited());
        let _entered = self.handle.enter();
        let runtime_id = self.handle.scheduler.runtime_id();
        let location = Location::caller();
        boxed_if_large!(F::IntoFuture, future.into_future(), |future| {
            let worker = self.worker();
            let inspection_waker = || worker.inspection_waker();
            let future = BlockOnFuture::new(future, runtime_id, location, inspection_waker);
            worker.block_on(future)
        })
    }

    /// Runs `future` as a task; see [`Handle::spawn`].
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.handle.spawn(future)
    }

    /// Runs `future`, which need not be `Send`, as a task on this thread.
    ///
    /// Other threads may use its wakers and its handle; the task still runs on this thread.
    /// [`dump`](Self::dump) does not show the states of machines in such a task.
    #[track_caller]
    pub fn spawn_local<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
    {
        let location = Location::caller();
        boxed_if_large!(F, |future, location| self.worker().spawn(future, location))
    }

    /// Enters the runtime on this thread until the guard is dropped; see [`Handle::enter`].
    pub fn enter(&self) -> EnterGuard<'_> {
        self.handle.enter()
    }

    /// Returns a list of the live tasks and their states; see [`Handle::dump`].
    pub fn dump(&self) -> Dump {
        self.handle.dump()
    }

    /// Returns counters of this thread and its queues; see [`Handle::stats`].
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    fn worker(&self) -> &LocalWorker {
        let worker = self.worker.as_ref();
        worker.expect("the worker is present until the drop")
    }
}

// Panics of user code are caught at its calls, so no state is left inconsistent.
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
            // The parent process watches its sources by the same descriptor, so it must not be
            // closed.
            std::mem::forget(self.worker.take());
            return;
        }
        // Destructors of futures may look for their runtime.
        let _entered = self.handle.enter();
        self.handle.scheduler.stop();
        self.handle.blocking.close();
        drop(self.worker.take());
        self.jobs_on_drop.wait(&self.handle, self.shutdown_timeout);
        // The server shows a shutdown that hangs, so it ends last.
        #[cfg(feature = "inspect")]
        self.handle.stop_inspection();
    }
}

/// Runs `future`, which need not be `Send`, as a task on this thread; see
/// [`LocalRuntime::spawn_local`].
///
/// # Panics
///
/// Panics outside of [`LocalRuntime::block_on`], and on the workers of a
/// [`Runtime`](super::Runtime), because their tasks move between threads.
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
