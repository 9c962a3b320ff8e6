//! Starting the workers' threads, and waiting for their end.

use std::io;

use crate::driver::{Driver, DriverHandle};
use crate::loom::sync::Arc;
use crate::loom::thread::{self, JoinHandle};
use crate::util::Rng;

use super::config::Config;
use super::core::Core;
use super::handle::Handle;
use super::interval::Interval;
use super::shared::Shared;
use super::worker::Worker;

/// The threads of a scheduler.
#[derive(Debug)]
#[must_use = "whoever stops a scheduler waits for its threads"]
pub(crate) struct Threads(Vec<JoinHandle<()>>);

/// Starts a scheduler.
///
/// # Errors
///
/// Fails when the system grants no more threads; those that were started end by themselves.
pub(crate) fn start(
    mut config: Config,
    driver: Driver,
    bell: DriverHandle,
) -> io::Result<(Handle, Threads)> {
    let (workers, handle) = build(&mut config, driver, bell);
    let config = Arc::new(config);
    let mut threads = Threads(Vec::with_capacity(workers.len()));
    let mut workers = workers.into_iter();
    for worker in &mut workers {
        match start_thread(&config, &handle, worker) {
            Ok(thread) => threads.0.push(thread),
            Err(error) => {
                handle.stop();
                drop(workers);
                threads.join();
                return Err(error);
            }
        }
    }
    Ok((handle, threads))
}

/// Makes the workers, which are on no thread yet.
pub(super) fn build(
    config: &mut Config,
    driver: Driver,
    bell: DriverHandle,
) -> (Vec<Worker>, Handle) {
    let rng = Rng::new(config.seed.unwrap_or_else(random_seed));
    let (cores, remotes): (Vec<_>, Vec<_>) = (0..config.workers.max(1))
        .map(|index| {
            Core::new(
                index,
                rng.fork(index as u64),
                Interval::new(config.queue_interval),
            )
        })
        .unzip();
    let orphans = std::mem::take(&mut config.orphans);
    let remotes = remotes.into_boxed_slice();
    let shared = Arc::new(Shared::new(remotes, orphans, driver, bell));
    let worker = |core| Worker::new(Arc::clone(&shared), core);
    (cores.into_iter().map(worker).collect(), Handle(shared))
}

/// Some number that differs from run to run.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

fn start_thread(
    config: &Arc<Config>,
    handle: &Handle,
    worker: Worker,
) -> io::Result<JoinHandle<()>> {
    let mut builder = thread::Builder::new();
    if let Some(index) = worker.index() {
        builder = builder.name((config.thread_name)(index));
    }
    if let Some(size) = config.stack_size {
        builder = builder.stack_size(size);
    }
    let (config, handle) = (Arc::clone(config), handle.clone());
    builder.spawn(move || {
        if let Some(hook) = &config.on_start {
            hook(&handle);
        }
        worker.run();
        drop(worker);
        if let Some(hook) = &config.on_stop {
            hook(&handle);
        }
    })
}

impl Threads {
    /// Waits until the workers of a [stopped](Handle::stop) scheduler have ended: each after the
    /// poll it is in. Then every task is complete, but for those that other threads are polling.
    ///
    /// On one of the workers, it does not wait for that one.
    pub(crate) fn join(self) {
        let me = thread::current().id();
        for thread in self.0 {
            if thread.thread().id() != me {
                // A worker panics only in a hook, and that has been reported.
                let _ = thread.join();
            }
        }
    }
}
