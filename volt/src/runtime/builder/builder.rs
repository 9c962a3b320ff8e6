//! How a runtime is to be set up.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::thread::available_parallelism;
use std::time::Duration;

use super::orphan_policy::OrphanPolicy;
use crate::driver::{Driver, DriverHandle};
use crate::loom::sync::Arc;
use crate::runtime::blocking::JobsOnDrop;
use crate::runtime::blocking::panic_in_fork;
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
    #[cfg(feature = "tokio")]
    pub(super) tokio_context: bool,
    pub(super) hooks: Option<Box<Hooks>>,
    pub(super) on_start: Option<ThreadHook>,
    pub(super) on_stop: Option<ThreadHook>,
    orphans: OrphanPolicy,
    pub(super) on_orphan: Option<OrphanHook>,
}

/// More than any system grants, and few enough to have room for.
const MAX_WORKERS: usize = 65_535;

fn invalid(said: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, said)
}

fn check_stack(bytes: Option<usize>) -> io::Result<()> {
    if bytes.is_some_and(|bytes| isize::try_from(bytes).is_err()) {
        return Err(invalid("no stack of a thread is that large"));
    }
    Ok(())
}

type ThreadHook = Box<dyn Fn() + Send + Sync>;

impl Builder {
    /// Begins with the defaults.
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
            #[cfg(feature = "tokio")]
            tokio_context: false,
            hooks: None,
            on_start: None,
            on_stop: None,
            orphans: OrphanPolicy::Ignore,
            on_orphan: None,
        }
    }

    /// Fixes the number of polls after which a worker looks at the global queue; by default it
    /// follows the length of the polls.
    pub fn queue_interval(mut self, polls: u32) -> Self {
        self.queue_interval = Some(polls);
        self
    }

    /// Sets where the random choices begin.
    ///
    /// On a runtime of many threads this settles little: which worker is robbed first. On a
    /// [`LocalRuntime`] it settles everything. Its tasks, which run in the order of their wakes
    /// otherwise, run in an order drawn from the seed; and a program that gets nothing from outside,
    /// on a [paused clock](Self::start_paused), does exactly the same with the same seed. So a test
    /// tries many seeds, and one that fails is a test case.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::cell::Cell;
    /// use std::rc::Rc;
    /// use volt::task::yield_now;
    ///
    /// // Two tasks count, but one wake lies between look and write.
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
    /// let fine = (0..100).find(|&seed| sum(seed) == 2).expect("as a rule, nobody sees it");
    /// assert_eq!((sum(lost), sum(fine)), (1, 2), "and found again");
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Starts the runtime with its clock paused, for tests of code that waits; see
    /// [`time::pause`](crate::time::pause).
    pub fn start_paused(mut self, paused: bool) -> Self {
        self.start_paused = paused;
        self
    }

    /// Sets how long the drop of the runtime waits for polls that are under way, 5 seconds by
    /// default. [`Runtime::shutdown`] takes its own limit, and blocking jobs are another matter:
    /// [`jobs_on_drop`](Self::jobs_on_drop).
    pub fn shutdown_timeout(mut self, limit: Duration) -> Self {
        self.shutdown_timeout = limit;
        self
    }

    /// Sets what the drop of the runtime does about blocking jobs that have begun: by default, it
    /// waits until they are over. Jobs that must run are a case of their own there.
    /// [`Runtime::shutdown`] waits as long as its own limit allows, and
    /// names them; [`Runtime::shutdown_background`] does not wait.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{Read, stdin};
    /// use volt::runtime::JobsOnDrop;
    ///
    /// // A job that may wait for a user for ever must not keep the program from ending.
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

    /// Sets what becomes of a task that waits while nobody is left who could wake it: by default,
    /// nothing.
    ///
    /// Nothing is guessed, and nothing timed: a runtime knows how many wakers of a task there are,
    /// and finds an orphan at the moment when the last of them is gone. So whatever it finds is one.
    /// It does not find all: what it cannot know is whether a waker that somebody keeps will ever be
    /// called. A [`Group`](crate::Group) keeps those of its children. And it does not look at
    /// the future of [`block_on`](crate::Runtime::block_on), which is no task, and no longer at a
    /// task of which there were more than 62 [`AbortHandle`](crate::task::AbortHandle)s at a time.
    ///
    /// The default holds for detached tasks too: the task stays, with all that its future owns, until
    /// the runtime ends. It is the trace of a fault, and a [`dump`](Handle::dump) shows where it waits;
    /// a future that vanishes would show nothing, and its destructors would run at a time that nobody
    /// has chosen. Tasks of [`volt::raw`](crate::raw) are in no dump, and end instead.
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
    /// Fails when the system grants no threads, or no descriptors for the driver; with
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) on a thread's name with a zero byte in it, and on
    /// more than 65,535 workers or a stack of more bytes than an `isize` counts.
    pub fn build(mut self) -> io::Result<Runtime> {
        self.check_name()?;
        self.check_threads()?;
        let (driver, bell) = Driver::new()?;
        if self.start_paused {
            bell.pause();
        }
        let pool = self.make_pool(&bell);
        let (limit, jobs) = (self.shutdown_timeout, self.jobs_on_drop);
        let threads_are_special = self.on_start.is_some();
        let tokio = self.start_tokio()?;
        let config = self.into_config(Arc::clone(&pool), tokio.clone());
        let (scheduler, threads) = scheduler::start(config, driver, bell)?;
        if !threads_are_special {
            let (pool, tokio) = (Arc::clone(&pool), tokio.downgrade());
            scheduler.set_foreign_poll_fn(move |scheduler, run| {
                let handle = Handle::new(scheduler, Arc::clone(&pool), tokio.upgrade());
                panic_in_fork(handle.driver().is_inherited());
                // A paused clock takes the thread for one at work.
                let _work = handle.driver().busy_guard();
                let _tokio = tokio.enter();
                let _entered = context::enter_busy(handle);
                run();
            });
        }
        let handle = Handle::new(scheduler, pool, tokio);
        handle.enter_on_tokio_threads();
        Ok(Runtime::from_parts(handle, threads, limit, jobs))
    }

    /// Starts a runtime that runs everything on this thread. It has no threads for workers, so their
    /// number, names and stacks do not matter to it, nor does what they call first and last. This
    /// thread is its worker: [`on_thread_park`](Self::on_thread_park) is called when it sleeps in
    /// [`block_on`](LocalRuntime::block_on), and so is its counterpart.
    ///
    /// # Errors
    ///
    /// Fails when the system grants no descriptors for the driver; with
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) on a thread's name with a zero byte in it, which
    /// those for blocking jobs would have, and on a stack for them of more bytes than an `isize` counts.
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
        let (driver, bell) = Driver::new()?;
        if self.start_paused {
            bell.pause();
        }
        let pool = self.make_pool(&bell);
        let (limit, jobs) = (self.shutdown_timeout, self.jobs_on_drop);
        let tokio = self.start_tokio()?;
        let config = self.into_config(Arc::clone(&pool), tokio.clone());
        let worker = LocalWorker::new(config, driver, bell);
        let handle = Handle::new(worker.handle().clone(), pool, tokio);
        handle.enter_on_tokio_threads();
        Ok(LocalRuntime::from_parts(handle, worker, limit, jobs))
    }

    fn make_pool(&mut self, driver: &DriverHandle) -> Arc<BlockingPool> {
        let name = format!("{}-blocking", self.thread_name);
        let settings = std::mem::take(&mut self.blocking);
        Arc::new(BlockingPool::new(name, settings, driver.clone()))
    }

    /// Checks what every thread has. Names go to the system, for which they end at a zero.
    fn check_name(&self) -> io::Result<()> {
        if self.thread_name.contains('\0') {
            return Err(invalid("the name of a thread has no zero byte in it"));
        }
        check_stack(self.blocking.stack_size)
    }

    fn check_threads(&self) -> io::Result<()> {
        if self.workers.is_some_and(|count| count.get() > MAX_WORKERS) {
            return Err(invalid("a runtime has at most 65,535 worker threads"));
        }
        check_stack(self.stack_size)
    }

    fn into_config(self, pool: Arc<BlockingPool>, tokio: TokioContext) -> Config {
        let workers = self.workers.or_else(|| available_parallelism().ok());
        let mut config = Config::new(workers.map_or(1, NonZeroUsize::get));
        // The configuration is the scheduler's, which the threads of tokio's runtime know.
        let tokio = tokio.downgrade();
        let (name, on_start, on_stop) = (self.thread_name, self.on_start, self.on_stop);
        config.thread_name = Box::new(move |index| format!("{name}-{index}"));
        config.name = self.name.map(String::into_boxed_str);
        config.stack_size = self.stack_size;
        config.spare_threads = self.spare_threads;
        config.queue_interval = self.queue_interval;
        config.seed = self.seed;
        config.orphans = self.orphans.into_orphans(self.on_orphan);
        config.hooks = self.hooks;
        config.on_start = Some(Box::new(move || {
            let scheduler = scheduler::SchedulerHandle::current().expect("a worker starts");
            // The thread is in the runtime until it ends.
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

impl LocalRuntime {
    /// Starts a runtime that runs everything on this thread, with the defaults.
    ///
    /// # Errors
    ///
    /// Fails when the system grants no descriptors for the driver.
    pub fn new() -> io::Result<Self> {
        Builder::new().build_local()
    }
}

impl Runtime {
    /// Starts a runtime with a worker for each processor.
    ///
    /// # Errors
    ///
    /// Fails when the system grants no threads, or no descriptors for the driver.
    pub fn new() -> io::Result<Self> {
        Builder::new().build()
    }

    /// Starts to configure a runtime.
    pub fn builder() -> Builder {
        Builder::new()
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

// Each setting is one store; hooks are not called.
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
