//! Work that blocks, as tasks on the pool.

use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::context;
use super::handle::Handle;
use crate::task::{self, JoinHandle, Runnable, Schedule, TaskId};

impl Handle {
    /// Calls `job`, which may block, on a thread of the pool that is kept for that.
    ///
    /// A job that is cancelled before it began never runs; one that runs cannot be stopped. The
    /// end of the runtime cancels queued jobs and does not wait for running ones.
    ///
    /// A job may [`join`](JoinHandle::join) another: one that no thread has begun with is run inside.
    #[track_caller]
    pub fn spawn_blocking<F, T>(&self, job: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        self.spawn_blocking_from(job, Location::caller())
    }

    fn spawn_blocking_from<F, T>(
        &self,
        job: F,
        location: &'static Location<'static>,
    ) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let scheduler = BlockingScheduler(self.clone());
        let (job, handle) = task::new_task(BlockingJob(Some(job)), scheduler, location);
        self.submit_blocking(job);
        handle
    }

    fn submit_blocking(&self, job: Runnable) {
        let handle = self.clone();
        let submitted = self.blocking.submit(job, |builder| {
            let work = move || {
                let _entered = context::enter_at_work(handle.clone());
                handle.blocking.work();
            };
            builder.spawn(work).map(drop)
        });
        if let Err(refused) = submitted {
            refused.shutdown();
        }
    }
}

/// What a blocking job has for a scheduler.
#[derive(Clone)]
struct BlockingScheduler(Handle);

impl Schedule for BlockingScheduler {
    fn schedule(&self, job: Runnable) {
        self.0.submit_blocking(job);
    }

    // Jobs are in no registry.
    fn release(&self, _: TaskId) {}

    fn is_inherited(&self) -> bool {
        self.0.driver().is_inherited()
    }

    fn host(&self, run: &mut dyn FnMut()) -> bool {
        self.0.blocking.host(&mut || {
            // Its entry in the queue counts as at work, and so does the job that joins it.
            let _entered = context::enter_at_work(self.0.clone());
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
        Poll::Ready(task::unlimited(job))
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
    context::with(|handle| handle.spawn_blocking_from(job, location))
}
