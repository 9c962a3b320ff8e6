//! The pool of threads for work that blocks.
//!
//! A job is a task whose future calls the closure at its first poll, so handles, panics and
//! cancellation are the task's own: a job that is cancelled before a thread took it never runs,
//! and one that runs cannot be stopped.
//!
//! # Protocol
//!
//! 1. `schedule` pushes the job under the lock. With an idle thread it notifies one; else, below
//!    the limit, it starts a thread.
//! 2. A thread takes jobs until there are none, counts itself idle, and waits for a notification
//!    or until it was idle for the time that the settings say. A thread that times out with nothing queued ends.
//! 3. A job is [at work](crate::driver::BusyCount) from its submission until after its joiner was
//!    woken, so that no paused clock jumps meanwhile.
//! 4. A job that joins one which is queued runs it inside, as all threads might be in such joins.
//!    The entry turns stale, and goes the moment the inner job is over.
//! 5. Shutdown closes the pool and wakes all. QueuedJob jobs are completed as cancelled, except those
//!    that [must run](OnShutdown::Run). The thread that ends the runtime then waits in
//!    [`finish`](BlockingPool::finish) for those, and for the jobs that threads have started and that
//!    [`OnShutdown`] says to wait for. Until it is over, the pool accepts further jobs that must run.
//! 6. A job that ends its own runtime waits in `finish` too. Meanwhile another thread may be
//!    started in its place, or a queued job would wait for the thread that waits for it.
//!
//! # Invariants
//!
//! - I1: `idle` counts the waiting threads that no notification is owed to: the notifier moves
//!   one from `idle` to `owed`, and whichever thread wakes first takes it from there. So two
//!   pushes never count on one thread, and a spurious wake-up changes nothing.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::pool_jobs::{JobOnStackGuard, OnShutdown, PoolJobs, PoolThread, QueuedJob};
use super::pool_settings::{PoolSettings, call_hook};
use super::pool_waits::PoolWaitGuard;
use crate::driver::DriverHandle;
use crate::loom::sync::{Condvar, Mutex, MutexGuard};
use crate::loom::thread;
use crate::task::{self, Runnable, TaskId, TaskRef};

/// A job of a pool waits for the job that this thread is in, and so must not be waited for.
#[derive(Debug)]
pub(in crate::runtime) struct PoolDeadlock;

/// The pool.
pub(in crate::runtime) struct BlockingPool {
    settings: PoolSettings,
    thread_name: String,
    driver: DriverHandle,
    state: Mutex<PoolState>,
    work: Condvar,
    /// After the pool was closed: a job that is waited for is over.
    finished: Condvar,
}

#[derive(Default)]
struct PoolState {
    jobs: PoolJobs,
    threads: usize,
    idle: usize,
    owed: usize,
    phase: PoolPhase,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum PoolPhase {
    #[default]
    Open,
    /// Only jobs that must run are accepted.
    Closing,
    /// No job is accepted. The jobs that are left run on.
    Ended,
}

/// How long the end of the runtime waits for blocking jobs; `None` is for ever.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) struct Deadlines {
    /// For the jobs that must run.
    pub(in crate::runtime) mandatory: Option<Instant>,
    /// For the other jobs that have begun.
    pub(in crate::runtime) others: Option<Instant>,
}

/// Starts a thread that runs [`BlockingPool::work`].
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
        }
    }

    /// Queues `job`, and calls `start` where a new thread is wanted.
    ///
    /// Returns the job when the pool accepts no job of this kind, or, with the system's reason, when
    /// it has no thread and can start none.
    pub(in crate::runtime) fn submit(
        &self,
        job: Runnable,
        on_shutdown: OnShutdown,
        start: StartThread<'_>,
    ) -> Result<(), (Runnable, Option<io::Error>)> {
        let mut state = self.state.lock();
        let is_accepted = match state.phase {
            PoolPhase::Open => true,
            PoolPhase::Closing => on_shutdown == OnShutdown::Run,
            PoolPhase::Ended => false,
        };
        if !is_accepted {
            return Err((job, None));
        }
        state.jobs.push(QueuedJob { job, on_shutdown });
        if let Err(error) = self.notify_or_start_thread(&mut state, start)
            // Another thread will come to it; with none at all nobody would.
            && state.threads == 0
            && let Some(QueuedJob { job, .. }) = state.jobs.pop_last()
        {
            return Err((job, Some(error)));
        }
        self.driver.busy_count().begin();
        Ok(())
    }

    /// Wakes or starts a thread for a queued job, below the limit.
    fn notify_or_start_thread(
        &self,
        state: &mut PoolState,
        start: StartThread<'_>,
    ) -> io::Result<()> {
        if state.idle > 0 {
            state.idle -= 1;
            state.owed += 1;
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

    /// Runs jobs on this thread until it is no longer wanted.
    pub(in crate::runtime) fn work(&self) {
        PoolThread::enter(self.address());
        call_hook(self.settings.on_start.as_ref());
        let mut last = None;
        while let Some(job) = self.next_job(last) {
            last = Some(job.job.id());
            self.run(job);
        }
        call_hook(self.settings.on_stop.as_ref());
        PoolThread::leave();
    }

    fn run(&self, QueuedJob { job, on_shutdown }: QueuedJob) {
        let _on_stack = JobOnStackGuard::started(on_shutdown);
        task::set_clock(Instant::now());
        // A job is done at its first poll, so there is nothing to queue again.
        drop(job.run());
        self.driver.end_busy();
    }

    /// Calls `run`, in which a queued job is run here, if this is one of the pool's threads.
    pub(in crate::runtime) fn host(&self, on_shutdown: OnShutdown, run: &mut dyn FnMut()) -> bool {
        if !self.is_of_this_thread() {
            return false;
        }
        let on_stack = JobOnStackGuard::queued(on_shutdown);
        run();
        drop(on_stack);
        self.remove_stale_entry();
        true
    }

    /// Returns `true` if this thread is one of the pool's, and so in one of its jobs.
    fn is_of_this_thread(&self) -> bool {
        PoolThread::of_this_thread().pool == self.address()
    }

    /// Removes an entry of the queue that has turned stale.
    fn remove_stale_entry(&self) {
        let mut state = self.state.lock();
        let stale = state.jobs.remove_stale();
        self.notify_end(&state);
        drop(state);
        if let Some(stale) = stale {
            stale.job.shutdown();
            self.driver.end_busy();
        }
    }

    /// Wakes the thread that ends the runtime, which counts the jobs that are left.
    fn notify_end(&self, state: &PoolState) {
        if state.phase != PoolPhase::Open {
            self.finished.notify_all();
        }
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Waits for a job, after the `last` one of this thread; `None` ends the thread, whose place is
    /// then free.
    fn next_job(&self, last: Option<TaskId>) -> Option<QueuedJob> {
        let mut state = self.state.lock();
        if let Some(last) = last.and_then(|last| state.jobs.finish_job(last)) {
            self.notify_end(&state);
            // It may be the last reference to the task.
            drop(state);
            drop(last);
            state = self.state.lock();
        }
        loop {
            if let Some(job) = state.jobs.take() {
                return Some(job);
            }
            let stay;
            (state, stay) = self.wait_for_notification(state);
            if !stay {
                state.threads -= 1;
                return None;
            }
        }
    }

    /// Waits with nothing queued. The flag says whether the thread is still wanted.
    fn wait_for_notification<'a>(
        &self,
        mut state: MutexGuard<'a, PoolState>,
    ) -> (MutexGuard<'a, PoolState>, bool) {
        state.idle += 1;
        loop {
            if state.phase != PoolPhase::Open {
                state.idle -= 1;
                return (state, false);
            }
            let timed_out;
            (state, timed_out) = self.work.wait_timeout(state, self.settings.keep_alive);
            if state.owed > 0 {
                state.owed -= 1;
                return (state, true);
            }
            if timed_out {
                state.idle -= 1;
                return (state, false);
            }
        }
    }

    /// The jobs that wait for a thread or run on one.
    pub(in crate::runtime) fn jobs(&self) -> Vec<TaskRef> {
        self.state.lock().jobs.all()
    }

    /// The jobs that [`finish`](Self::finish) waits for.
    pub(in crate::runtime) fn unfinished(&self) -> Vec<TaskRef> {
        self.state.lock().jobs.unfinished()
    }

    /// The name of all its threads.
    pub(in crate::runtime) fn thread_name(&self) -> &str {
        &self.thread_name
    }

    /// Refuses further jobs except those that must run, and completes the queued ones as cancelled
    /// with the same exception. Running jobs go on; see [`finish`](Self::finish).
    pub(in crate::runtime) fn close(&self) {
        let mut state = self.state.lock();
        state.phase = PoolPhase::Closing;
        self.work.notify_all();
        let cancelled = state.jobs.remove_optional();
        drop(state);
        for QueuedJob { job, .. } in cancelled {
            job.shutdown();
            self.driver.end_busy();
        }
    }

    /// Refuses all further jobs of a closed pool.
    pub(in crate::runtime) fn end(&self) {
        self.state.lock().phase = PoolPhase::Ended;
    }

    /// This thread is about to wait for the jobs without a limit. Nothing is to be noted of a thread
    /// that is of no pool, or of this one.
    pub(in crate::runtime) fn begin_wait(&self) -> Result<Option<PoolWaitGuard>, PoolDeadlock> {
        let own = PoolThread::of_this_thread().pool;
        if own == 0 || own == self.address() {
            return Ok(None);
        }
        let wait = PoolWaitGuard::begin(own, self.address());
        wait.map(Some).ok_or(PoolDeadlock)
    }

    /// Waits in a closed pool for the jobs that must run and for those that have begun, except for
    /// those that this is called in. From then on the pool accepts no job.
    pub(in crate::runtime) fn finish(&self, until: Deadlines, start: StartThread<'_>) {
        let inside = PoolThread::of_this_thread();
        let is_own = inside.pool == self.address();
        let mut state = self.state.lock();
        if is_own {
            // Another thread may run jobs in its place.
            state.threads -= 1;
        }
        let inside = is_own.then_some(inside);
        while let Some(limit) = Self::limit(&state, until, inside) {
            if is_own && state.jobs.queued() > 0 {
                let called = self.notify_or_start_thread(&mut state, start);
                if called.is_err()
                    && state.threads == 0
                    && let Some(job) = state.jobs.take()
                {
                    state = self.run_here(state, job);
                    continue;
                }
            }
            state = self.finished.wait(state, limit);
        }
        state.threads += usize::from(is_own);
        state.phase = PoolPhase::Ended;
    }

    /// How long to wait for the jobs that are left, or `None` if there is nothing to wait for.
    fn limit(
        state: &PoolState,
        until: Deadlines,
        inside: Option<PoolThread>,
    ) -> Option<Option<Duration>> {
        let own = inside.map(|it| it.jobs).unwrap_or_default();
        let left = state.jobs.awaited();
        let now = Instant::now();
        let time_left = |until: Option<Instant>| match until {
            None => Some(Duration::MAX),
            Some(until) => Some(until.saturating_duration_since(now)).filter(|it| !it.is_zero()),
        };
        let mandatory = left.mandatory.saturating_sub(own.mandatory);
        let all = left.all.saturating_sub(own.all);
        let for_mandatory = time_left(until.mandatory).filter(|_| mandatory > 0);
        let for_others = time_left(until.others).filter(|_| all > mandatory);
        let limit = match (for_mandatory, for_others) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        Some(Some(limit).filter(|it| *it != Duration::MAX))
    }

    /// Runs a job on the thread that ends the runtime, for which the system starts no other thread.
    fn run_here<'a>(
        &'a self,
        state: MutexGuard<'a, PoolState>,
        job: QueuedJob,
    ) -> MutexGuard<'a, PoolState> {
        drop(state);
        let id = job.job.id();
        self.run(job);
        let mut state = self.state.lock();
        if let Some(last) = state.jobs.finish_job(id) {
            drop(state);
            drop(last);
            state = self.state.lock();
        }
        state
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
