//! The jobs of a blocking pool: the queue, the running jobs, and the counts for shutdown.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

use crate::loom::thread_local_const;
use crate::scheduler::system_thread_id;
use crate::task::{Runnable, TaskId, TaskRef};

thread_local_const! {
    static POOL_THREAD: Cell<PoolThread> = Cell::new(PoolThread::OUTSIDE);
}

/// The treatment of a job at the shutdown of its runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runtime) enum OnShutdown {
    /// Shutdown runs the job even if it is still queued, and waits for it.
    Run,
    /// Shutdown cancels the job if it is still queued, and waits for it if it runs.
    Wait,
    /// Shutdown cancels the job if it is still queued, and does not wait for it.
    Abandon,
}

/// The numbers of jobs that shutdown waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JobCounts {
    /// The jobs that must run.
    pub(super) mandatory: usize,
    /// The jobs that must run, and the other jobs that a thread has started.
    pub(super) all: usize,
}

impl JobCounts {
    fn of_started(on_shutdown: OnShutdown) -> Self {
        Self {
            mandatory: usize::from(on_shutdown == OnShutdown::Run),
            all: usize::from(on_shutdown != OnShutdown::Abandon),
        }
    }

    fn of_queued(on_shutdown: OnShutdown) -> Self {
        let mandatory = usize::from(on_shutdown == OnShutdown::Run);
        Self {
            mandatory,
            all: mandatory,
        }
    }

    fn add(&mut self, other: Self) {
        self.mandatory += other.mandatory;
        self.all += other.all;
    }

    fn subtract(&mut self, other: Self) {
        self.mandatory -= other.mandatory;
        self.all -= other.all;
    }
}

/// The record of a thread: its pool, and the jobs on its stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolThread {
    /// The address of the pool, or zero.
    pub(super) pool: usize,
    /// The jobs on the stack, as shutdown counts them. A shutdown on this thread must not wait for
    /// them.
    pub(super) jobs: JobCounts,
}

impl PoolThread {
    const OUTSIDE: Self = Self {
        pool: 0,
        jobs: JobCounts {
            mandatory: 0,
            all: 0,
        },
    };

    /// Returns the record of this thread.
    pub(super) fn of_this_thread() -> Self {
        POOL_THREAD.try_with(Cell::get).unwrap_or(Self::OUTSIDE)
    }

    /// Records that this thread belongs to the pool.
    pub(super) fn enter(pool: usize) {
        POOL_THREAD.with(|thread| {
            thread.set(Self {
                pool,
                ..Self::OUTSIDE
            })
        });
    }

    /// Records that this thread belongs to no pool. Destructors of thread-locals run outside of
    /// jobs.
    pub(super) fn leave() {
        POOL_THREAD.with(|thread| thread.set(Self::OUTSIDE));
    }
}

/// Counts a job as one on the stack of this thread until it is dropped.
pub(super) struct JobOnStackGuard(JobCounts);

impl JobOnStackGuard {
    /// For a job that a thread has taken from the queue.
    pub(super) fn started(on_shutdown: OnShutdown) -> Self {
        Self::counted(JobCounts::of_started(on_shutdown))
    }

    /// For a job that is still in the queue.
    pub(super) fn queued(on_shutdown: OnShutdown) -> Self {
        Self::counted(JobCounts::of_queued(on_shutdown))
    }

    fn counted(job: JobCounts) -> Self {
        POOL_THREAD.with(|cell| {
            let mut thread = cell.get();
            thread.jobs.add(job);
            cell.set(thread);
        });
        Self(job)
    }
}

impl Drop for JobOnStackGuard {
    fn drop(&mut self) {
        POOL_THREAD.with(|cell| {
            let mut thread = cell.get();
            thread.jobs.subtract(self.0);
            cell.set(thread);
        });
    }
}

/// An entry of the queue.
pub(super) struct QueuedJob {
    pub(super) runnable: Runnable,
    pub(super) on_shutdown: OnShutdown,
}

impl QueuedJob {
    fn counts(&self) -> JobCounts {
        JobCounts::of_queued(self.on_shutdown)
    }

    fn is_mandatory(&self) -> bool {
        self.on_shutdown == OnShutdown::Run
    }

    fn task(&self) -> TaskRef {
        TaskRef::of(&self.runnable)
    }
}

struct StartedJob {
    task: TaskRef,
    on_shutdown: OnShutdown,
    /// The id that the system gave to the thread of the job, or zero.
    thread_id: u32,
}

/// The jobs of a pool that are not known to be complete.
#[derive(Default)]
pub(super) struct PoolJobs {
    queue: VecDeque<QueuedJob>,
    /// The jobs that a thread has taken from the queue.
    started: HashMap<TaskId, StartedJob>,
    counts: JobCounts,
}

impl PoolJobs {
    pub(super) fn push(&mut self, job: QueuedJob) {
        self.counts.add(job.counts());
        self.queue.push_back(job);
    }

    /// Removes the job that was pushed last.
    pub(super) fn pop_last(&mut self) -> Option<QueuedJob> {
        let job = self.queue.pop_back()?;
        self.counts.subtract(job.counts());
        Some(job)
    }

    /// Takes the next job for this thread, which will run it.
    pub(super) fn start_next(&mut self) -> Option<QueuedJob> {
        let job = self.queue.pop_front()?;
        self.counts.subtract(job.counts());
        self.counts.add(JobCounts::of_started(job.on_shutdown));
        let started = StartedJob {
            task: job.task(),
            on_shutdown: job.on_shutdown,
            thread_id: system_thread_id(),
        };
        self.started.insert(job.runnable.id(), started);
        Some(job)
    }

    /// Removes a job that a thread has run. The caller drops the reference outside of the lock.
    pub(super) fn finish_job(&mut self, job: TaskId) -> Option<TaskRef> {
        let started = self.started.remove(&job)?;
        self.counts
            .subtract(JobCounts::of_started(started.on_shutdown));
        Some(started.task)
    }

    /// Removes a queued job that is complete, because a join has run it. It is most likely the last
    /// such entry.
    pub(super) fn remove_stale(&mut self) -> Option<QueuedJob> {
        let is_complete = |job: &QueuedJob| job.task().is_complete();
        let index = self.queue.iter().rposition(is_complete)?;
        let stale = self.queue.remove(index)?;
        self.counts.subtract(stale.counts());
        Some(stale)
    }

    /// Removes the queued jobs that need not run.
    pub(super) fn remove_optional(&mut self) -> Vec<QueuedJob> {
        let (mandatory, optional) = std::mem::take(&mut self.queue)
            .into_iter()
            .partition(QueuedJob::is_mandatory);
        self.queue = mandatory;
        Vec::from(optional)
    }

    /// The number of queued jobs.
    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// The numbers of jobs that shutdown waits for.
    pub(super) fn counts(&self) -> JobCounts {
        self.counts
    }

    /// The running and the queued jobs.
    pub(super) fn all(&self) -> Vec<TaskRef> {
        let started = self.started.values().map(|job| job.task.clone());
        let queued = self.queue.iter().map(QueuedJob::task);
        started.chain(queued).collect()
    }

    /// The threads of the running jobs, for those whose ids are known.
    pub(super) fn threads(&self) -> HashMap<TaskId, u32> {
        let threads = self.started.iter();
        let threads = threads.map(|(id, job)| (*id, job.thread_id));
        threads.filter(|(_, thread)| *thread != 0).collect()
    }

    /// The jobs that shutdown waits for.
    pub(super) fn unfinished(&self) -> Vec<TaskRef> {
        let started = self.started.values();
        let started = started.filter(|job| job.on_shutdown != OnShutdown::Abandon);
        let queued = self.queue.iter().filter(|job| job.is_mandatory());
        let started = started.map(|job| job.task.clone());
        started.chain(queued.map(QueuedJob::task)).collect()
    }
}
