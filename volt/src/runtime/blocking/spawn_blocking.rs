//! Work that blocks, as tasks on the pool.

use std::io;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::loom::sync::Mutex;
use crate::loom::thread;
use crate::runtime::context;
use crate::runtime::handle::Handle;
use crate::runtime::pool::Deadlines;
use crate::runtime::pool::OnShutdown;
use crate::task::{self, JoinHandle, Runnable, Schedule, TaskId};

impl Handle {
    /// Calls `job`, which may block, on a thread of the pool that is kept for that.
    ///
    /// A job that is cancelled before it began never runs; one that runs cannot be stopped. The
    /// end of the runtime cancels queued jobs: a job that must run is for
    /// [`spawn_blocking_mandatory`](Self::spawn_blocking_mandatory). [`Runtime::shutdown`] waits for those that have begun
    /// and names the ones that do not end in time; what the drop of the runtime does is up to
    /// [`Builder::jobs_on_drop`], and by default it waits for them.
    ///
    /// If there is no thread for the job, and the system starts none, the job never runs and the error
    /// of its handle says [`is_unstarted`](crate::JoinError::is_unstarted).
    ///
    /// A job may [`join`](JoinHandle::join) another: one that no thread has begun with is run inside.
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

    /// Calls `job` as [`spawn_blocking`](Self::spawn_blocking) does; the end of the runtime runs the job
    /// also if it is still queued, and waits for it.
    ///
    /// [`Runtime::shutdown`] waits within its limit, and names the jobs that are left. The drop of the
    /// runtime waits without a limit where [`Builder::jobs_on_drop`] says
    /// [`Finish`](crate::runtime::JobsOnDrop::Finish), and in any case as long as
    /// [`Builder::shutdown_timeout`] says. [`Runtime::shutdown_background`] does not wait, and
    /// [`std::process::exit`] ends the process without the end of any runtime.
    ///
    /// Until that wait is over, a runtime that ends accepts further jobs of this kind. Afterwards the
    /// error of the handle says [`is_cancelled`](crate::JoinError::is_cancelled). A caller that
    /// [cancels](JoinHandle::cancel) the job before it began keeps it from running.
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
        // By way of its scheduler, which keeps the reason should it be refused.
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

    fn submit_blocking(
        &self,
        job: Runnable,
        on_shutdown: OnShutdown,
    ) -> Result<(), (Runnable, Option<io::Error>)> {
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

    /// Waits for the blocking jobs of a runtime that ends.
    pub(in crate::runtime) fn finish_blocking(&self, until: Deadlines) {
        let start = |builder| self.start_blocking_thread(builder);
        self.blocking.finish(until, &start);
    }
}

#[cfg(not(all(test, shuttle)))]
/// A blocking job that no pool has yet.
pub(super) struct UnsubmittedJob {
    runtime: Handle,
    job: Runnable,
    on_shutdown: OnShutdown,
}

#[cfg(not(all(test, shuttle)))]
/// A job that was refused, and the reason of the system if there is one.
pub(super) struct RefusedJob {
    job: Runnable,
    error: Option<io::Error>,
}

#[cfg(not(all(test, shuttle)))]
impl UnsubmittedJob {
    /// Makes a job whose result is not used.
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

    /// Queues the job, and runs no foreign code.
    pub(super) fn submit(self) -> Result<(), RefusedJob> {
        let Self {
            runtime,
            job,
            on_shutdown,
        } = self;
        let submitted = runtime.submit_blocking(job, on_shutdown);
        submitted.map_err(|(job, error)| RefusedJob { job, error })
    }
}

#[cfg(not(all(test, shuttle)))]
impl RefusedJob {
    /// Drops the job, and returns the reason of the refusal.
    pub(super) fn into_error(self) -> io::Error {
        self.job.shutdown();
        match self.error {
            Some(cause) => io::Error::new(
                cause.kind(),
                format!("no thread could be started for a blocking job: {cause}"),
            ),
            None => io::Error::other("the volt runtime has shut down"),
        }
    }
}

/// What a blocking job has for a scheduler.
struct BlockingScheduler {
    runtime: Handle,
    on_shutdown: OnShutdown,
    /// Why there was no thread for the job.
    refusal: Mutex<Option<io::Error>>,
}

impl Schedule for BlockingScheduler {
    fn schedule(&self, job: Runnable) {
        if let Err((job, error)) = self.runtime.submit_blocking(job, self.on_shutdown) {
            *self.refusal.lock() = error;
            job.shutdown();
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

    fn poll_on_foreign_thread(&self, run: &mut dyn FnMut()) -> bool {
        self.runtime.blocking.host(self.on_shutdown, &mut || {
            // Its entry in the queue counts as at work, and so does the job that joins it.
            let _tokio = self.runtime.tokio.enter();
            let _entered = context::enter_busy(self.runtime.clone());
            run();
        })
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
        Poll::Ready(task::with_unlimited_budget(job))
    }
}

/// As [`Handle::spawn_blocking`], on the runtime that this thread is in.
///
/// # Panics
///
/// When it is in none.
#[track_caller]
pub fn spawn_blocking<F, T>(job: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let location = Location::caller();
    context::with(|handle| handle.spawn_job(job, OnShutdown::Wait, location))
}

/// As [`Handle::spawn_blocking_mandatory`], on the runtime that this thread is in.
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

/// As [`spawn_blocking`], for a job that does nothing but find an answer: the end of the runtime does
/// not wait for it.
///
/// # Panics
///
/// When the thread is in no runtime.
#[track_caller]
pub(crate) fn spawn_abandonable<F, T>(job: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let location = Location::caller();
    context::with(|handle| handle.spawn_job(job, OnShutdown::Abandon, location))
}
