//! Blocking jobs: closures that run on the threads of the pool.

use std::any::Any;
use std::io;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::foreign_thread::ForeignRuntime;
use crate::loom::sync::Mutex;
use crate::loom::thread;
use crate::runtime::context;
use crate::runtime::handle::Handle;
use crate::runtime::pool::{Deadlines, OnShutdown, SubmitError};
use crate::task::{self, JoinHandle, Runnable, Schedule, TaskId};

impl Handle {
    /// Calls `job`, which may block, on a thread of the pool for blocking jobs.
    ///
    /// A job that is cancelled while it is queued never runs. A job that runs cannot be stopped.
    /// Shutdown cancels queued jobs; a job that must run is for
    /// [`spawn_blocking_mandatory`](Self::spawn_blocking_mandatory). [`Runtime::shutdown`] waits
    /// for running jobs, and returns those that do not end in time. The drop of the runtime follows
    /// [`Builder::jobs_on_drop`], and by default waits for running jobs.
    ///
    /// If the pool has no thread, and the system starts none, the job never runs. For the error of
    /// its handle [`is_unstarted`](crate::JoinError::is_unstarted) returns `true` then.
    ///
    /// A job may [`join`](JoinHandle::join) another job. If the other job is still queued, it runs
    /// on the stack of the first one.
    ///
    /// [`Runtime::shutdown`]: crate::runtime::Runtime::shutdown
    /// [`Builder::jobs_on_drop`]: crate::runtime::Builder::jobs_on_drop
    #[track_caller]
    pub fn spawn_blocking<F, T>(&self, job: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        self.spawn_job(job, OnShutdown::Wait, Location::caller())
    }

    /// Calls `job` on the pool even if the runtime is shut down while the job is queued.
    ///
    /// Otherwise it is like [`spawn_blocking`](Self::spawn_blocking). Shutdown runs the job if it
    /// is still queued, and waits for it:
    ///
    /// - [`Runtime::shutdown`] waits within its limit, and returns the jobs that are left.
    /// - The drop of the runtime waits at least as long as [`Builder::shutdown_timeout`]. It waits
    ///   without a limit if [`Builder::jobs_on_drop`] is
    ///   [`Finish`](crate::runtime::JobsOnDrop::Finish).
    /// - [`Runtime::shutdown_background`] does not wait, and [`std::process::exit`] ends the
    ///   process without a shutdown of its runtimes.
    ///
    /// Until this wait ends, the runtime accepts further jobs of this kind. Afterwards, the error
    /// of the handle is a cancellation, see [`is_cancelled`](crate::JoinError::is_cancelled). A job
    /// that is [cancelled](JoinHandle::cancel) while it is queued does not run.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// let runtime = volt::Runtime::builder().max_blocking_threads(1).build()?;
    /// let saved = Arc::new(AtomicU32::new(0));
    /// for _ in 0..10 {
    ///     let saved = Arc::clone(&saved);
    ///     let save = move || _ = saved.fetch_add(1, Ordering::Relaxed);
    ///     runtime.handle().spawn_blocking_mandatory(save).detach();
    /// }
    /// drop(runtime);
    /// assert_eq!(saved.load(Ordering::Relaxed), 10);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// [`Runtime::shutdown`]: crate::runtime::Runtime::shutdown
    /// [`Runtime::shutdown_background`]: crate::runtime::Runtime::shutdown_background
    /// [`Builder::jobs_on_drop`]: crate::runtime::Builder::jobs_on_drop
    /// [`Builder::shutdown_timeout`]: crate::runtime::Builder::shutdown_timeout
    #[track_caller]
    pub fn spawn_blocking_mandatory<F, T>(&self, job: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        self.spawn_job(job, OnShutdown::Run, Location::caller())
    }

    fn spawn_job<F, T>(
        &self,
        job: F,
        on_shutdown: OnShutdown,
        location: &'static Location<'static>,
    ) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let (job, handle) = self.new_job(job, on_shutdown, location);
        // The scheduler of the job stores the error if the job is not accepted.
        job.schedule();
        handle
    }

    fn new_job<F, T>(
        &self,
        job: F,
        on_shutdown: OnShutdown,
        location: &'static Location<'static>,
    ) -> (Runnable, JoinHandle<T>)
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let scheduler = BlockingScheduler {
            runtime: self.clone(),
            on_shutdown,
            refusal: Mutex::new(None),
        };
        task::new_task(BlockingJob(Some(job)), scheduler, location)
    }

    fn submit_blocking(&self, job: Runnable, on_shutdown: OnShutdown) -> Result<(), SubmitError> {
        let start = |builder| self.start_blocking_thread(builder);
        self.blocking.submit(job, on_shutdown, &start)
    }

    fn start_blocking_thread(&self, builder: thread::Builder) -> io::Result<()> {
        let handle = self.clone();
        let work = move || {
            let _tokio = handle.tokio.enter();
            let _entered = context::enter_busy(handle.clone());
            handle.blocking.work();
        };
        builder.spawn(work).map(drop)
    }

    /// Waits for the blocking jobs at the shutdown of the runtime.
    pub(in crate::runtime) fn finish_blocking(&self, until: Deadlines) {
        let start = |builder| self.start_blocking_thread(builder);
        self.blocking.finish(until, &start);
    }
}

/// A blocking job that is not in the queue of a pool yet.
#[cfg(not(all(test, shuttle)))]
pub(super) struct UnsubmittedJob {
    runtime: Handle,
    job: Runnable,
    on_shutdown: OnShutdown,
}

/// A job that the pool did not accept.
#[cfg(not(all(test, shuttle)))]
pub(super) struct RejectedJob(SubmitError);

#[cfg(not(all(test, shuttle)))]
impl UnsubmittedJob {
    /// Creates a job whose result is not used.
    pub(super) fn new(
        runtime: &Handle,
        job: impl FnOnce() + Send + 'static,
        on_shutdown: OnShutdown,
        location: &'static Location<'static>,
    ) -> Self {
        let (job, handle) = runtime.new_job(job, on_shutdown, location);
        handle.detach();
        Self {
            runtime: runtime.clone(),
            job,
            on_shutdown,
        }
    }

    /// Queues the job. Runs no foreign code.
    pub(super) fn submit(self) -> Result<(), RejectedJob> {
        let Self {
            runtime,
            job,
            on_shutdown,
        } = self;
        let submitted = runtime.submit_blocking(job, on_shutdown);
        submitted.map_err(RejectedJob)
    }
}

#[cfg(not(all(test, shuttle)))]
impl RejectedJob {
    /// Drops the job, and returns the error for the caller.
    pub(super) fn into_error(self) -> io::Error {
        match self.0 {
            SubmitError::Closed(job) => {
                job.shutdown();
                io::Error::other("the volt runtime has shut down")
            }
            SubmitError::NoThread(job, cause) => {
                job.shutdown();
                let text = format!("no thread could be started for a blocking job: {cause}");
                io::Error::new(cause.kind(), text)
            }
        }
    }
}

/// The scheduler of a blocking job.
struct BlockingScheduler {
    runtime: Handle,
    on_shutdown: OnShutdown,
    /// The error of the system that started no thread for the job.
    refusal: Mutex<Option<io::Error>>,
}

impl Schedule for BlockingScheduler {
    fn schedule(&self, job: Runnable) {
        match self.runtime.submit_blocking(job, self.on_shutdown) {
            Ok(()) => {}
            Err(SubmitError::Closed(job)) => job.shutdown(),
            Err(SubmitError::NoThread(job, error)) => {
                *self.refusal.lock() = Some(error);
                job.shutdown();
            }
        }
    }

    fn refusal(&self) -> Option<io::Error> {
        self.refusal.lock().take()
    }

    // Jobs are in no registry.
    fn release(&self, _: TaskId) {}

    fn is_inherited(&self) -> bool {
        self.runtime.driver().is_inherited()
    }

    fn is_job(&self) -> bool {
        true
    }

    fn store_foreign_runtime(&self, slot: &mut dyn Any) {
        if let Some(slot) = slot.downcast_mut() {
            *slot = ForeignRuntime::of_job(&self.runtime, self.on_shutdown);
        }
    }
}

/// A closure as a future that is ready at its first poll.
#[derive(Debug)]
struct BlockingJob<F>(Option<F>);

// The closure is called, never pinned.
impl<F> Unpin for BlockingJob<F> {}

impl<F: FnOnce() -> T, T> Future for BlockingJob<F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        let job = self.0.take().expect("a job is polled once");
        Poll::Ready(task::outside_of_polls(job))
    }
}

/// Calls `job`, which may block, on a thread of the pool for blocking jobs.
///
/// The job belongs to the runtime that this thread is in; see [`Handle::spawn_blocking`].
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub fn spawn_blocking<F, T>(job: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let location = Location::caller();
    context::with(|handle| handle.spawn_job(job, OnShutdown::Wait, location))
}

/// Calls `job` on the pool even if the runtime is shut down while the job is queued.
///
/// The job belongs to the runtime that this thread is in; see [`Handle::spawn_blocking_mandatory`].
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub fn spawn_blocking_mandatory<F, T>(job: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let location = Location::caller();
    context::with(|handle| handle.spawn_job(job, OnShutdown::Run, location))
}

/// Calls a job that only computes a result, so shutdown does not wait for it.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub(crate) fn spawn_abandonable<F, T>(job: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let location = Location::caller();
    context::with(|handle| handle.spawn_job(job, OnShutdown::Abandon, location))
}
