//! The start of the workers' threads, and the wait for their end.

use std::io;
use std::time::Instant;

use crate::driver::{Driver, DriverHandle};
use crate::loom::sync::{Arc, Mutex};
use crate::loom::thread;
use crate::util::Rng;

use super::config::Config;
use super::observe::call_hook;
use super::queue::GlobalQueueInterval;
use super::scheduler_handle::SchedulerHandle;
use super::shared::Shared;
#[cfg(not(loom))]
use super::shutdown_waits::ShutdownWaitGuard;
use super::worker::Core;
use super::worker::Worker;
use super::worker::enter_worker;

/// The threads of a scheduler.
#[derive(Debug)]
#[must_use = "whoever stops a scheduler waits for its threads"]
pub(crate) struct Threads(SchedulerHandle);

/// Starts a scheduler.
///
/// # Errors
///
/// Returns an error if the system grants no more threads; those that were started end by
/// themselves.
pub(crate) fn start(
    config: Config,
    driver: Driver,
    driver_handle: DriverHandle,
) -> io::Result<(SchedulerHandle, Threads)> {
    let (workers, handle) = build(config, driver, driver_handle);
    let threads = Threads(handle.clone());
    let mut workers = workers.into_iter();
    for worker in &mut workers {
        if let Err(FailedStart { error, .. }) = start_thread(worker, usize::MAX) {
            handle.stop();
            drop(workers);
            threads.join();
            return Err(error.into());
        }
    }
    Ok((handle, threads))
}

/// Creates the workers, which have no threads yet.
pub(super) fn build(
    config: Config,
    driver: Driver,
    driver_handle: DriverHandle,
) -> (Vec<Worker>, SchedulerHandle) {
    let rng = Rng::new(config.seed.unwrap_or_else(random_seed));
    let has_samples = !config
        .hooks
        .as_ref()
        .is_some_and(|hooks| hooks.times_each_poll());
    let (cores, remotes): (Vec<_>, Vec<_>) = (0..config.workers.max(1))
        .map(|index| {
            let interval = GlobalQueueInterval::new(config.queue_interval);
            let rng = rng.fork(index as u64);
            Core::new(index, rng, interval, config.order, has_samples)
        })
        .unzip();
    let remotes = remotes.into_boxed_slice();
    let shared = Arc::new(Shared::new(remotes, config, driver, driver_handle));
    let worker = |core| Worker::new(Arc::clone(&shared), core);
    (
        cores.into_iter().map(worker).collect(),
        SchedulerHandle(shared),
    )
}

/// Returns a number that differs from run to run.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

/// The reason for which no thread was started.
#[derive(Debug)]
pub(crate) enum StartThreadError {
    /// The scheduler has as many threads as it may have.
    LimitReached,
    /// The system grants none.
    System(io::Error),
}

impl From<StartThreadError> for io::Error {
    fn from(error: StartThreadError) -> Self {
        match error {
            StartThreadError::LimitReached => {
                Self::other("all of `Builder::max_spare_threads` are in use")
            }
            StartThreadError::System(error) => error,
        }
    }
}

/// A worker for which no thread was started.
pub(super) struct FailedStart {
    pub(super) error: StartThreadError,
    pub(super) worker: Worker,
}

/// Moves a worker to a thread of its own, unless there are `most` threads already.
pub(super) fn start_thread(worker: Worker, most: usize) -> Result<(), FailedStart> {
    let shared = Arc::clone(worker.shared());
    if !shared.thread_set.reserve(most) {
        let error = StartThreadError::LimitReached;
        return Err(FailedStart { error, worker });
    }
    let mut builder = thread::Builder::new();
    if let Some(index) = worker.index() {
        builder = builder.name((shared.config.thread_name)(index));
    }
    if let Some(size) = shared.config.stack_size {
        builder = builder.stack_size(size);
    }
    // The worker is shared with the new thread, so that it can be taken back if that does not
    // start.
    let place = Arc::new(Mutex::new(Some(worker)));
    let taken = Arc::clone(&place);
    let started = builder.spawn(move || {
        if let Some(worker) = { taken.lock().take() } {
            work(worker);
        }
    });
    match started {
        Ok(thread) => shared.thread_set.add_handle(thread),
        Err(error) => {
            drop(shared.thread_set.enter());
            let worker = place.lock().take().expect("no thread has taken it");
            let error = StartThreadError::System(error);
            return Err(FailedStart { error, worker });
        }
    }
    Ok(())
}

/// Runs a worker, with the hooks of the thread.
fn work(worker: Worker) {
    let shared = Arc::clone(worker.shared());
    let _guard = shared.thread_set.enter();
    // The worker is dropped before the guard, also after a panic.
    let worker = worker;
    let entered = enter_worker(&worker);
    call_hook(&shared.config.on_start);
    drop(entered);
    worker.run();
    drop(worker);
    call_hook(&shared.config.on_stop);
}

/// Detaches the threads: without a wait, they end by themselves.
impl Drop for Threads {
    fn drop(&mut self) {
        self.0.0.thread_set.detach();
    }
}

impl Threads {
    /// Waits until the workers of a [stopped](SchedulerHandle::stop) scheduler have ended, each
    /// after its current poll. All tasks are complete then, except those that other threads are
    /// polling.
    ///
    /// Does not wait for the calling thread if that is one of the workers. If another thread polls
    /// a task of the scheduler and calls this in it, the last worker is not waited for. Neither are
    /// workers that wait for the calling thread, by shutdowns of other schedulers or by joins.
    pub(crate) fn join(self) {
        self.join_by(None);
    }

    /// Waits as [`join`](Self::join) does, but not longer than until the deadline. After it, tasks
    /// that are not being polled are cancelled on this thread, and the workers end by themselves.
    pub(crate) fn join_by(self, deadline: Option<Instant>) {
        #[cfg(not(loom))]
        let wait = ShutdownWaitGuard::begin(self.0.runtime_id());
        #[cfg(not(loom))]
        let spares = || wait.blocked_threads();
        // Models shut down a scheduler from outside.
        #[cfg(loom)]
        let spares = || 0;
        if !self.0.0.thread_set.wait(deadline, spares) {
            self.0.registry().shutdown_all();
        }
    }
}
