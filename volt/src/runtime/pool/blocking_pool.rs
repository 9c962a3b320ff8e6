//! The pool of threads that run blocking jobs.
//!
//! A job is a task whose future calls the closure at its first poll. So a job has the handle, the
//! panics and the cancellation of a task. A job that is cancelled before a thread takes it never
//! runs; a job that runs cannot be stopped.
//!
//! # Protocol
//!
//! 1. [`submit`](BlockingPool::submit) pushes the job under the lock. If a thread is idle, `submit`
//!    notifies one. Otherwise it starts a thread, unless the limit is reached.
//! 2. A thread runs jobs until the queue is empty. Then it counts itself as idle, and waits for a
//!    notification. If none arrives within the keep-alive time, the thread ends.
//! 3. A job is [busy](crate::driver::BusyCount) from its submission until after its joiner was
//!    woken, so no paused clock advances meanwhile.
//! 4. A job that joins a queued job runs it on its own stack, because all threads might block in
//!    such joins. The entry of the queue is then stale, and is removed when the inner job ends.
//! 5. Shutdown is in `pool_shutdown`.
//!
//! # Invariants
//!
//! - I1: `idle` counts the waiting threads for which no notification is pending. The notifier moves
//!   one from `idle` to `notified`, and the first thread that wakes takes it from there. So two
//!   pushes never count on the same thread, and a spurious wake-up changes nothing.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::time::Instant;

use super::companion_threads::CompanionThreads;
use super::pool_jobs::{JobOnStackGuard, OnShutdown, PoolJobs, PoolThread, QueuedJob};
use super::pool_settings::{PoolSettings, call_hook};
use crate::driver::DriverHandle;
use crate::loom::sync::{Condvar, Mutex, MutexGuard};
use crate::loom::thread;
use crate::task::{self, Runnable, TaskId, TaskRef};

/// A pool of threads, and its queue of jobs.
pub(in crate::runtime) struct BlockingPool {
    settings: PoolSettings,
    thread_name: String,
    pub(super) driver: DriverHandle,
    pub(super) state: Mutex<PoolState>,
    /// Notified when a job was pushed, and at shutdown.
    pub(super) work: Condvar,
    /// Notified when a job ends after the pool was closed. Shutdown may wait for that job.
    pub(super) finished: Condvar,
    companions: CompanionThreads,
}

#[derive(Default)]
pub(super) struct PoolState {
    pub(super) jobs: PoolJobs,
    pub(super) threads: usize,
    idle: usize,
    notified: usize,
    pub(super) phase: PoolPhase,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum PoolPhase {
    #[default]
    Open,
    /// The pool accepts only jobs that must run.
    Closing,
    /// The pool accepts no job. Started jobs run on.
    Ended,
}

/// The reason why a pool did not accept a job.
pub(in crate::runtime) enum SubmitError {
    /// The pool accepts no job of this kind any more.
    Closed(Runnable),
    /// The pool has no thread, and the system started none.
    NoThread(Runnable, io::Error),
}

/// The reason why the wait of an idle thread ended.
enum Wakeup {
    /// A job was pushed for this thread.
    Notified,
    /// The thread has timed out, or the pool is closed.
    Retire,
}

/// A function that starts a thread, which calls [`BlockingPool::work`].
pub(in crate::runtime) type StartThread<'a> = &'a dyn Fn(thread::Builder) -> io::Result<()>;

impl BlockingPool {
    pub(in crate::runtime) fn new(
        thread_name: String,
        settings: PoolSettings,
        driver: DriverHandle,
    ) -> Self {
        Self {
            settings,
            thread_name,
            driver,
            state: Mutex::new(PoolState::default()),
            work: Condvar::new(),
            finished: Condvar::new(),
            companions: CompanionThreads::default(),
        }
    }

    /// Returns the threads that end when this pool is closed.
    pub(in crate::runtime) fn companions(&self) -> &CompanionThreads {
        &self.companions
    }

    /// Queues a job, and notifies or starts a thread for it.
    ///
    /// # Errors
    ///
    /// Returns the job if the pool is closed for it, or if there is no thread to run it.
    pub(in crate::runtime) fn submit(
        &self,
        runnable: Runnable,
        on_shutdown: OnShutdown,
        start: StartThread<'_>,
    ) -> Result<(), SubmitError> {
        let mut state = self.state.lock();
        let is_accepted = match state.phase {
            PoolPhase::Open => true,
            PoolPhase::Closing => on_shutdown == OnShutdown::Run,
            PoolPhase::Ended => false,
        };
        if !is_accepted {
            return Err(SubmitError::Closed(runnable));
        }
        state.jobs.push(QueuedJob {
            runnable,
            on_shutdown,
        });
        if let Err(error) = self.notify_or_start_thread(&mut state, start)
            // If the pool has threads, the job stays queued until one of them is free.
            && state.threads == 0
            && let Some(QueuedJob { runnable, .. }) = state.jobs.pop_last()
        {
            return Err(SubmitError::NoThread(runnable, error));
        }
        self.driver.busy_count().begin();
        Ok(())
    }

    /// Notifies an idle thread of a queued job. Without an idle thread, starts one if the limit
    /// permits.
    pub(super) fn notify_or_start_thread(
        &self,
        state: &mut PoolState,
        start: StartThread<'_>,
    ) -> io::Result<()> {
        if state.idle > 0 {
            state.idle -= 1;
            state.notified += 1;
            self.work.notify_one();
        } else if state.threads < self.settings.threads {
            let mut builder = thread::Builder::new().name(self.thread_name.clone());
            if let Some(bytes) = self.settings.stack_size {
                builder = builder.stack_size(bytes);
            }
            start(builder)?;
            state.threads += 1;
        }
        Ok(())
    }

    /// Runs jobs on this thread until the thread retires.
    pub(in crate::runtime) fn work(&self) {
        PoolThread::enter(self.address());
        call_hook(self.settings.on_start.as_ref());
        let mut last = None;
        while let Some(job) = self.next_job(last) {
            last = Some(job.runnable.id());
            self.run(job);
        }
        // The thread is not counted any more, so the hook runs outside of the pool: it may drop the
        // runtime.
        PoolThread::leave();
        call_hook(self.settings.on_stop.as_ref());
    }

    pub(super) fn run(&self, job: QueuedJob) {
        let _on_stack = JobOnStackGuard::started(job.on_shutdown);
        task::set_clock(Instant::now());
        // A job is complete after its first poll, so it is not queued again.
        drop(job.runnable.run());
        self.driver.end_busy();
    }

    /// Prepares this thread, which is one of the pool's, to run a queued job inside the job that it
    /// runs.
    pub(in crate::runtime) fn begin_inline(&self, on_shutdown: OnShutdown) -> InlineJobGuard<'_> {
        InlineJobGuard {
            pool: self,
            on_stack: Some(JobOnStackGuard::queued(on_shutdown)),
        }
    }

    /// Returns `true` if this thread is one of the pool's, and so runs one of its jobs.
    pub(in crate::runtime) fn is_of_this_thread(&self) -> bool {
        PoolThread::of_this_thread().pool == self.address()
    }

    /// Removes an entry of the queue whose job is complete.
    fn remove_stale_entry(&self) {
        let mut state = self.state.lock();
        let stale = state.jobs.remove_stale();
        self.notify_shutdown(&state);
        drop(state);
        if let Some(stale) = stale {
            stale.runnable.shutdown();
            self.driver.end_busy();
        }
    }

    /// Wakes the thread in `finish`, which counts the jobs that are left.
    fn notify_shutdown(&self, state: &PoolState) {
        if state.phase != PoolPhase::Open {
            self.finished.notify_all();
        }
    }

    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Records the end of the `last` job of this thread, and waits for the next one. Returns `None`
    /// if the thread retires; it is no longer counted then.
    fn next_job(&self, last: Option<TaskId>) -> Option<QueuedJob> {
        let mut state = self.state.lock();
        if let Some(last) = last.and_then(|last| state.jobs.finish_job(last)) {
            self.notify_shutdown(&state);
            // It may be the last reference to the task, whose drop runs foreign code.
            drop(state);
            drop(last);
            state = self.state.lock();
        }
        loop {
            if let Some(job) = state.jobs.start_next() {
                return Some(job);
            }
            let wakeup;
            (state, wakeup) = self.wait_for_notification(state);
            if let Wakeup::Retire = wakeup {
                state.threads -= 1;
                return None;
            }
        }
    }

    /// Waits for a notification. The queue is empty.
    fn wait_for_notification<'a>(
        &self,
        mut state: MutexGuard<'a, PoolState>,
    ) -> (MutexGuard<'a, PoolState>, Wakeup) {
        state.idle += 1;
        loop {
            if state.phase != PoolPhase::Open {
                state.idle -= 1;
                return (state, Wakeup::Retire);
            }
            let timed_out;
            (state, timed_out) = self.work.wait_timeout(state, self.settings.keep_alive);
            if state.notified > 0 {
                state.notified -= 1;
                return (state, Wakeup::Notified);
            }
            if timed_out {
                state.idle -= 1;
                return (state, Wakeup::Retire);
            }
        }
    }

    /// Returns the running and the queued jobs.
    pub(in crate::runtime) fn jobs(&self) -> Vec<TaskRef> {
        self.state.lock().jobs.all()
    }

    /// Returns the ids that the system gave to the threads of running jobs, if they are known.
    pub(in crate::runtime) fn job_threads(&self) -> HashMap<TaskId, u32> {
        self.state.lock().jobs.threads()
    }

    /// Returns the jobs that [`finish`](Self::finish) waits for.
    pub(in crate::runtime) fn unfinished(&self) -> Vec<TaskRef> {
        self.state.lock().jobs.unfinished()
    }

    /// Returns the name of the pool's threads.
    pub(in crate::runtime) fn thread_name(&self) -> &str {
        &self.thread_name
    }
}

/// Guards a queued job that runs inside another job of the pool. Its drop removes the stale entry.
pub(in crate::runtime) struct InlineJobGuard<'a> {
    pool: &'a BlockingPool,
    /// Present until the drop.
    on_stack: Option<JobOnStackGuard>,
}

impl Drop for InlineJobGuard<'_> {
    fn drop(&mut self) {
        drop(self.on_stack.take());
        self.pool.remove_stale_entry();
    }
}

impl fmt::Debug for BlockingPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.lock();
        f.debug_struct("BlockingPool")
            .field("threads", &state.threads)
            .field("idle", &state.idle)
            .field("queued", &state.jobs.queued())
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;
