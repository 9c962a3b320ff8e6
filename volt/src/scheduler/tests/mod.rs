//! Tests of whole schedulers with real threads and a real driver.
//!
//! A scheduler never sleeps with a timeout, so a lost wake-up is a hang. [`within`] turns a hang
//! into a failure.

mod driving;
mod fairness;
mod idling;
mod notifying;
mod deferring;
mod shutdown;
mod throughput;
mod monitoring;
#[cfg(feature = "inspect")]
mod inspecting;

use std::future::Future;
use std::panic::Location;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::driver::Driver;
use crate::task::JoinHandle;

use super::{Config, SchedulerHandle, Threads, start};

/// A scheduler that is stopped and joined when it is dropped.
struct Running {
    handle: SchedulerHandle,
    threads: Option<Threads>,
}

impl Running {
    fn new(workers: usize) -> Self {
        Self::with(Config::new(workers))
    }

    fn with(config: Config) -> Self {
        let (driver, driver_handle) = Driver::new().unwrap();
        let (handle, threads) = start(config, driver, driver_handle).unwrap();
        Self {
            handle,
            threads: Some(threads),
        }
    }

    #[track_caller]
    fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.handle.spawn(future, Location::caller())
    }

    fn run<F>(&self, future: F) -> F::Output
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        futures_lite::future::block_on(self.spawn(future)).unwrap()
    }

    /// Waits until all workers sleep.
    fn settle(&self) {
        while self.handle.stats().sleeping < self.handle.stats().workers.len() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn stop(mut self) -> SchedulerHandle {
        self.halt();
        self.handle.clone()
    }

    fn halt(&mut self) {
        if let Some(threads) = self.threads.take() {
            self.handle.stop();
            threads.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.halt();
    }
}

/// Spawns a task on the scheduler of the current worker.
#[track_caller]
fn spawn_here<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    SchedulerHandle::current()
        .expect("on a worker")
        .spawn(future, Location::caller())
}

/// Panics if `work` does not end in time.
fn within<R: Send + 'static>(limit: Duration, work: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, wait) = mpsc::channel();
    let thread = thread::spawn(move || {
        let result = work();
        let _ = done.send(());
        result
    });
    if wait.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
        panic!("not done after {limit:?}");
    }
    thread.join().unwrap()
}

const LIMIT: Duration = Duration::from_secs(60);

/// Panics if `one` takes longer each time. A busy machine may delay it now and then.
fn once_within(limit: Duration, mut one: impl FnMut() -> Duration) {
    let best = (0..25).map(|_| one()).find(|took| *took < limit);
    assert!(best.is_some(), "never within {limit:?}");
}
