//! `Builder`: the configuration of a runtime.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::thread::available_parallelism;
use std::time::Duration;

use super::companions::CompanionSettings;
use super::orphan_policy::OrphanPolicy;
use super::setting_checks::{MAX_WORKERS, check_stack, invalid};
use crate::driver::{Driver, DriverHandle};
#[cfg(feature = "inspect")]
use crate::inspect::InspectAddress;
use crate::loom::sync::Arc;
use crate::runtime::blocking::ForeignRuntime;
use crate::runtime::blocking::JobsOnDrop;
use crate::runtime::context;
use crate::runtime::handle::Handle;
use crate::runtime::local_runtime::LocalRuntime;
use crate::runtime::pool::BlockingPool;
use crate::runtime::pool::PoolSettings;
use crate::runtime::runtime::Runtime;
use crate::runtime::tokio_context::TokioContext;
use crate::scheduler::{self, Config, Hooks, LocalWorker, OrphanHook};

/// Configures a [`Runtime`].
///
/// # Examples
///
/// ```
/// let runtime = volt::Runtime::builder()
///     .worker_threads(2)
///     .thread_name("crawler")
///     .build()?;
/// assert_eq!(runtime.stats().workers.len(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use = "`build` starts the runtime"]
pub struct Builder {
    pub(super) name: Option<String>,
    pub(super) workers: Option<NonZeroUsize>,
    pub(super) thread_name: String,
    pub(super) stack_size: Option<usize>,
    pub(super) spare_threads: usize,
    queue_interval: Option<u32>,
    seed: Option<u64>,
    pub(super) blocking: PoolSettings,
    shutdown_timeout: Duration,
    jobs_on_drop: JobsOnDrop,
    start_paused: bool,
    #[cfg(feature = "inspect")]
    pub(super) inspect: Option<InspectAddress>,
    #[cfg(feature = "tokio")]
    pub(super) tokio_context: bool,
    pub(super) hooks: Option<Box<Hooks>>,
    pub(super) exact_poll_times: bool,
    pub(super) companions: CompanionSettings,
    pub(super) secret_types: Vec<&'static str>,
    pub(super) has_backtraces: bool,
    pub(super) on_start: Option<ThreadHook>,
    pub(super) on_stop: Option<ThreadHook>,
    orphans: OrphanPolicy,
    pub(super) on_orphan: Option<OrphanHook>,
}

type ThreadHook = Box<dyn Fn() + Send + Sync>;

impl Builder {
    /// Creates a builder with the default settings.
    pub fn new() -> Self {
        Self {
            name: None,
            workers: None,
            thread_name: "volt-worker".to_owned(),
            stack_size: None,
            spare_threads: 512,
            queue_interval: None,
            seed: None,
            blocking: PoolSettings::default(),
            shutdown_timeout: Duration::from_secs(5),
            jobs_on_drop: JobsOnDrop::default(),
            start_paused: false,
            #[cfg(feature = "inspect")]
            inspect: None,
            #[cfg(feature = "tokio")]
            tokio_context: false,
            hooks: None,
            exact_poll_times: false,
            companions: CompanionSettings::default(),
            secret_types: Vec::new(),
            has_backtraces: false,
            on_start: None,
            on_stop: None,
            orphans: OrphanPolicy::Ignore,
            on_orphan: None,
        }
    }

    /// Sets the number of polls after which a worker checks the global queue. By default the worker
    /// adapts the number to the duration of its polls.
    pub fn queue_interval(mut self, polls: u32) -> Self {
        self.queue_interval = Some(polls);
        self
    }

    /// Sets the seed of the runtime's random number generator. By default each runtime has another
    /// seed, and a [`LocalRuntime`] runs its tasks in the order of their wakes.
    ///
    /// With a seed, a [`LocalRuntime`] runs its tasks in an order that the seed selects. On a
    /// [paused clock](Self::start_paused), a program without external input then does exactly the
    /// same for the same seed. So a test can try many seeds, and a seed that fails is a test case.
    /// In a multi-threaded runtime, the seed only selects the worker that is stolen from first.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::cell::Cell;
    /// use std::rc::Rc;
    /// use volt::task::yield_now;
    ///
    /// // Two tasks count, but each yields between its read and its write.
    /// fn sum(seed: u64) -> u32 {
    ///     let runtime = volt::Builder::new().seed(seed).start_paused(true).build_local().unwrap();
    ///     let count = Rc::new(Cell::new(0));
    ///     let tasks: Vec<_> = (0..2)
    ///         .map(|_| {
    ///             let count = Rc::clone(&count);
    ///             runtime.spawn_local(async move {
    ///                 let seen = count.get();
    ///                 yield_now().await;
    ///                 count.set(seen + 1);
    ///             })
    ///         })
    ///         .collect();
    ///     runtime.block_on(async {
    ///         for task in tasks {
    ///             task.await.unwrap();
    ///         }
    ///     });
    ///     count.get()
    /// }
    ///
    /// let lost = (0..100).find(|&seed| sum(seed) == 1).expect("the race is found");
    /// let fine = (0..100).find(|&seed| sum(seed) == 2).expect("most orders hide the race");
    /// assert_eq!((sum(lost), sum(fine)), (1, 2), "and found again");
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets whether the clock of the runtime is paused from the start, `false` by default. It is
    /// for tests of code that waits; see [`time::pause`](crate::time::pause).
    pub fn start_paused(mut self, paused: bool) -> Self {
        self.start_paused = paused;
        self
    }

    /// Sets how long the drop of the runtime waits for running polls, 5 seconds by default.
    ///
    /// [`Runtime::shutdown`] has its own limit. The wait for blocking jobs is set by
    /// [`jobs_on_drop`](Self::jobs_on_drop).
    pub fn shutdown_timeout(mut self, limit: Duration) -> Self {
        self.shutdown_timeout = limit;
        self
    }

    /// Sets whether the drop of the runtime waits for running blocking jobs. By default, it waits
    /// until they have ended. See [`JobsOnDrop`] also for jobs that must run.
    ///
    /// [`Runtime::shutdown`] waits within its own limit, and returns the jobs that are left.
    /// [`Runtime::shutdown_background`] does not wait.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{Read, stdin};
    /// use volt::runtime::JobsOnDrop;
    ///
    /// // This job may wait for a user forever. It must not delay the end of the program.
    /// let runtime = volt::Runtime::builder().jobs_on_drop(JobsOnDrop::Abandon).build()?;
    /// let key = runtime.spawn_blocking(|| stdin().read(&mut [0]));
    /// drop(runtime);
    /// # drop(key);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn jobs_on_drop(mut self, choice: JobsOnDrop) -> Self {
        self.jobs_on_drop = choice;
        self
    }

    /// Sets the policy for *orphans*: tasks that wait although no waker for them exists.
    /// By default, the runtime only counts and marks them.
    ///
    /// The runtime counts the wakers of each task, and finds an orphan when its last waker is
    /// dropped. There is no timeout and no heuristic, so each reported task is an orphan.
    ///
    /// Not all tasks that wait forever are found:
    ///
    /// - A waker that is stored, but never called, hides the task. A [`Group`](crate::Group) stores
    ///   the wakers of its children.
    /// - The future of [`block_on`](crate::Runtime::block_on) is not a task.
    /// - A task is no longer checked after more than 62 [`AbortHandle`](crate::task::AbortHandle)s
    ///   of it existed at a time.
    ///
    /// By default a detached orphan, too, stays until the runtime is shut down, with all values
    /// that its future owns. So a [`dump`](Handle::dump) shows where it waits, and its destructors
    /// do not run at an unexpected time. Tasks of [`volt::raw`](crate::raw), which are in no dump,
    /// end instead.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt::runtime::OrphanPolicy;
    ///
    /// let runtime = volt::Runtime::builder().orphans(OrphanPolicy::Cancel).build()?;
    /// let task = runtime.spawn(std::future::pending::<()>());
    /// assert!(runtime.block_on(task).unwrap_err().is_orphaned());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn orphans(mut self, policy: OrphanPolicy) -> Self {
        self.orphans = policy;
        self
    }

    /// Starts the runtime.
    ///
    /// # Errors
    ///
    /// Returns an error if the system starts no threads, or grants no descriptors for the driver.
    /// Returns an [`InvalidInput`](io::ErrorKind::InvalidInput) error if the name of the threads
    /// contains a zero byte, for more than 65,535 workers, and for a stack size above `isize::MAX`.
    pub fn build(mut self) -> io::Result<Runtime> {
        self.check_name()?;
        self.check_threads()?;
        #[cfg(feature = "inspect")]
        let inspection = self.bind_inspection()?;
        let (driver, driver_handle) = Driver::new()?;
        if self.start_paused {
            driver_handle.pause();
        }
        let pool = self.make_pool(&driver_handle);
        let (limit, jobs) = (self.shutdown_timeout, self.jobs_on_drop);
        let companions = std::mem::take(&mut self.companions);
        let has_start_hook = self.on_start.is_some();
        let tokio = self.start_tokio()?;
        let config = self.into_config(Arc::clone(&pool), tokio.clone());
        let (scheduler, threads) = scheduler::start(config, driver, driver_handle)?;
        if !has_start_hook {
            let (pool, tokio) = (Arc::clone(&pool), tokio.downgrade());
            scheduler.permit_foreign_polls(move |scheduler| {
                let handle = Handle::new(scheduler, Arc::clone(&pool), tokio.upgrade());
                ForeignRuntime::Workers(handle)
            });
        }
        let handle = Handle::new(scheduler, pool, tokio);
        handle.enter_on_tokio_threads();
        let runtime = Runtime::from_parts(handle, threads, limit, jobs);
        companions.start(runtime.handle())?;
        #[cfg(feature = "inspect")]
        inspection.start(runtime.handle())?;
        Ok(runtime)
    }

    /// Starts a runtime that runs its tasks on this thread.
    ///
    /// It has no worker threads, so it ignores their number, names, stack sizes, and start and stop
    /// hooks. This thread is its worker: it calls the hooks
    /// [`on_thread_park`](Self::on_thread_park) and [`on_thread_unpark`](Self::on_thread_unpark)
    /// around each sleep in [`block_on`](LocalRuntime::block_on).
    ///
    /// # Errors
    ///
    /// Returns an error if the system grants no descriptors for the driver. Returns an
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) error if the name of the threads for blocking
    /// jobs contains a zero byte, or if their stack size is above `isize::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Builder::new().build_local()?;
    /// assert_eq!(runtime.block_on(async { 6 * 7 }), 42);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn build_local(mut self) -> io::Result<LocalRuntime> {
        self.check_name()?;
        #[cfg(feature = "inspect")]
        let inspection = self.bind_inspection()?;
        let (driver, driver_handle) = Driver::new()?;
        if self.start_paused {
            driver_handle.pause();
        }
        let pool = self.make_pool(&driver_handle);
        let (limit, jobs) = (self.shutdown_timeout, self.jobs_on_drop);
        let companions = std::mem::take(&mut self.companions);
        let tokio = self.start_tokio()?;
        let config = self.into_config(Arc::clone(&pool), tokio.clone());
        let worker = LocalWorker::new(config, driver, driver_handle);
        let handle = Handle::new(worker.handle().clone(), pool, tokio);
        handle.enter_on_tokio_threads();
        let runtime = LocalRuntime::from_parts(handle, worker, limit, jobs);
        companions.start(runtime.handle())?;
        #[cfg(feature = "inspect")]
        inspection.start(runtime.handle())?;
        Ok(runtime)
    }

    fn make_pool(&mut self, driver: &DriverHandle) -> Arc<BlockingPool> {
        let name = format!("{}-blocking", self.thread_name);
        let settings = std::mem::take(&mut self.blocking);
        Arc::new(BlockingPool::new(name, settings, driver.clone()))
    }

    /// Checks the settings of all threads. A zero byte would end the name in the system.
    fn check_name(&self) -> io::Result<()> {
        if self.thread_name.contains('\0') {
            return Err(invalid("the name of a thread contains a zero byte"));
        }
        check_stack(self.blocking.stack_size)
    }

    fn check_threads(&self) -> io::Result<()> {
        if self.workers.is_some_and(|count| count.get() > MAX_WORKERS) {
            return Err(invalid("a runtime has at most 65,535 worker threads"));
        }
        check_stack(self.stack_size)
    }

    fn into_config(mut self, pool: Arc<BlockingPool>, tokio: TokioContext) -> Config {
        let workers = self.workers.or_else(|| available_parallelism().ok());
        let hooks = self.take_hooks();
        let mut config = Config::new(workers.map_or(1, NonZeroUsize::get));
        // The scheduler owns the configuration, and the threads of the tokio runtime own the
        // scheduler. A weak reference breaks this cycle.
        let tokio = tokio.downgrade();
        let (name, on_start, on_stop) = (self.thread_name, self.on_start, self.on_stop);
        config.thread_name = Box::new(move |index| format!("{name}-{index}"));
        config.name = self.name.map(String::into_boxed_str);
        config.secret_types = self.secret_types;
        config.has_backtraces = self.has_backtraces;
        config.stack_size = self.stack_size;
        config.spare_threads = self.spare_threads;
        config.queue_interval = self.queue_interval;
        config.seed = self.seed;
        config.orphans = self.orphans.into_orphans(self.on_orphan);
        config.hooks = hooks;
        config.on_start = Some(Box::new(move || {
            let scheduler = scheduler::SchedulerHandle::current().expect("a worker starts");
            // The thread is in both runtimes until it ends.
            tokio.stay();
            let handle = Handle::new(scheduler, Arc::clone(&pool), tokio.upgrade());
            context::enter_handle(handle).stay();
            if let Some(hook) = &on_start {
                hook();
            }
        }));
        config.on_stop = on_stop;
        config
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

// Each method stores one setting, and calls no hook.
impl UnwindSafe for Builder {}
impl RefUnwindSafe for Builder {}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("name", &self.name)
            .field("workers", &self.workers)
            .field("thread_name", &self.thread_name)
            .field("stack_size", &self.stack_size)
            .field("spare_threads", &self.spare_threads)
            .field("queue_interval", &self.queue_interval)
            .field("seed", &self.seed)
            .field("blocking", &self.blocking)
            .field("shutdown_timeout", &self.shutdown_timeout)
            .field("jobs_on_drop", &self.jobs_on_drop)
            .field("orphans", &self.orphans)
            .field("start_paused", &self.start_paused)
            .finish_non_exhaustive()
    }
}
