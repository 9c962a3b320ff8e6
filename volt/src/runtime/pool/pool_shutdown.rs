//! The shutdown of a blocking pool.
//!
//! 1. [`close`](BlockingPool::close) wakes all threads and cancels the queued jobs, except jobs
//!    that [must run](super::OnShutdown::Run).
//! 2. The thread that shuts the runtime down waits in [`finish`](BlockingPool::finish) for the jobs
//!    that must run, and for started jobs as [`OnShutdown`](super::OnShutdown) specifies. Until
//!    this wait ends, the pool accepts further jobs that must run.
//! 3. A job that shuts its own runtime down waits in `finish` too. Another thread may be started in
//!    its place; otherwise a queued job and this thread would wait for each other.

use std::time::{Duration, Instant};

use super::blocking_pool::{BlockingPool, PoolPhase, PoolState, StartThread};
use super::pool_jobs::{PoolThread, QueuedJob};
use super::pool_waits::{PoolDeadlock, PoolWaitGuard};
use crate::loom::sync::MutexGuard;

/// The deadlines of a shutdown. `None` is a wait without a limit.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) struct Deadlines {
    /// For the jobs that must run.
    pub(in crate::runtime) mandatory: Option<Instant>,
    /// For the other jobs that a thread has started.
    pub(in crate::runtime) others: Option<Instant>,
}

/// The next step of a shutdown.
enum ShutdownStep {
    Wait,
    WaitFor(Duration),
    /// No job is left, or its deadline has passed.
    Done,
}

impl BlockingPool {
    /// Closes the pool for further jobs, and cancels the queued ones, except jobs that must run.
    /// Started jobs run on; see [`finish`](Self::finish). Also ends the companion threads.
    pub(in crate::runtime) fn close(&self) {
        self.companions().stop();
        let mut state = self.state.lock();
        state.phase = PoolPhase::Closing;
        self.work.notify_all();
        let cancelled = state.jobs.remove_optional();
        drop(state);
        for QueuedJob { runnable, .. } in cancelled {
            runnable.shutdown();
            self.driver.end_busy();
        }
    }

    /// Closes a closed pool for jobs that must run, too.
    pub(in crate::runtime) fn end(&self) {
        self.state.lock().phase = PoolPhase::Ended;
    }

    /// Records that this thread is about to wait for the jobs without a limit. A thread of no pool,
    /// or of this one, needs no record.
    ///
    /// # Errors
    ///
    /// Returns an error if a job of this pool waits for the job on this thread.
    pub(in crate::runtime) fn begin_wait(&self) -> Result<PoolWaitGuard, PoolDeadlock> {
        let own = PoolThread::of_this_thread().pool;
        if own == 0 || own == self.address() {
            return Ok(PoolWaitGuard::without_edge());
        }
        PoolWaitGuard::begin(own, self.address())
    }

    /// Waits in a closed pool for the jobs that must run and for started jobs, except for the jobs
    /// on the stack of this thread. Then the pool accepts no job any more.
    pub(in crate::runtime) fn finish(&self, until: Deadlines, start: StartThread<'_>) {
        let thread = PoolThread::of_this_thread();
        let own = (thread.pool == self.address()).then_some(thread);
        let mut state = self.state.lock();
        if own.is_some() {
            // Another thread may run jobs in its place.
            state.threads -= 1;
        }
        loop {
            let limit = match Self::next_step(&state, until, own) {
                ShutdownStep::Wait => None,
                ShutdownStep::WaitFor(limit) => Some(limit),
                ShutdownStep::Done => break,
            };
            if own.is_some() && state.jobs.queued() > 0 {
                let notified = self.notify_or_start_thread(&mut state, start);
                if notified.is_err()
                    && state.threads == 0
                    && let Some(job) = state.jobs.start_next()
                {
                    state = self.run_here(state, job);
                    continue;
                }
            }
            state = self.finished.wait(state, limit);
        }
        state.threads += usize::from(own.is_some());
        state.phase = PoolPhase::Ended;
    }

    /// Compares the jobs that are left with their deadlines. `own` is the record of this thread if
    /// it belongs to the pool.
    fn next_step(state: &PoolState, until: Deadlines, own: Option<PoolThread>) -> ShutdownStep {
        let own = own.map(|thread| thread.jobs).unwrap_or_default();
        let left = state.jobs.counts();
        let now = Instant::now();
        let time_left = |until: Option<Instant>| match until {
            None => Some(Duration::MAX),
            Some(until) => {
                Some(until.saturating_duration_since(now)).filter(|left| !left.is_zero())
            }
        };
        let mandatory = left.mandatory.saturating_sub(own.mandatory);
        let all = left.all.saturating_sub(own.all);
        let for_mandatory = time_left(until.mandatory).filter(|_| mandatory > 0);
        let for_others = time_left(until.others).filter(|_| all > mandatory);
        let limits = [for_mandatory, for_others].into_iter().flatten();
        match limits.min() {
            None => ShutdownStep::Done,
            Some(Duration::MAX) => ShutdownStep::Wait,
            Some(limit) => ShutdownStep::WaitFor(limit),
        }
    }

    /// Runs a job on the thread in `finish`, because the system starts no other thread.
    fn run_here<'a>(
        &'a self,
        state: MutexGuard<'a, PoolState>,
        job: QueuedJob,
    ) -> MutexGuard<'a, PoolState> {
        drop(state);
        let id = job.runnable.id();
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
