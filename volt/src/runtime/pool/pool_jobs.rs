//! The jobs of a blocking pool: which are queued, which run, and which the end waits for.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

use crate::loom::thread_local_const;
use crate::task::{Runnable, TaskId, TaskRef};

thread_local_const! {
    /// The pool of this thread, and the jobs that this thread is in.
    static INSIDE: Cell<PoolThread> = Cell::new(PoolThread::NOWHERE);
}

/// The behaviour of the end of the runtime for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runtime) enum OnShutdown {
    /// The job runs in any case, also if it is still queued, and the end waits for it.
    Run,
    /// The end cancels the job while it is queued, and waits for it once it runs.
    Wait,
    /// The end cancels the job while it is queued, and does not wait for it.
    Abandon,
}

/// A number of jobs, as the end waits for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JobCounts {
    /// The jobs that must run.
    pub(super) mandatory: usize,
    /// Those, and the other jobs that have begun.
    pub(super) all: usize,
}

impl JobCounts {
    fn of_begun(on_shutdown: OnShutdown) -> Self {
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

/// The pool of a thread, and the jobs on its stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolThread {
    /// The address of the pool, or zero.
    pub(super) pool: usize,
    /// The jobs on the stack that count for the end. The end must not wait for them.
    pub(super) jobs: JobCounts,
}

impl PoolThread {
    const NOWHERE: Self = Self {
        pool: 0,
        jobs: JobCounts {
            mandatory: 0,
            all: 0,
        },
    };

    /// Returns the record of this thread.
    pub(super) fn of_this_thread() -> Self {
        INSIDE.try_with(Cell::get).unwrap_or(Self::NOWHERE)
    }

    /// Makes this thread one of the pool's.
    pub(super) fn enter(pool: usize) {
        INSIDE.with(|it| {
            it.set(Self {
                pool,
                ..Self::NOWHERE
            })
        });
    }

    /// Makes this thread one of no pool. The destructors of thread-locals are in no job.
    pub(super) fn leave() {
        INSIDE.with(|it| it.set(Self::NOWHERE));
    }
}

/// The time during which this thread runs a job.
pub(super) struct JobOnStackGuard(JobCounts);

impl JobOnStackGuard {
    /// A job that a thread has started begins.
    pub(super) fn started(on_shutdown: OnShutdown) -> Self {
        Self::counted(JobCounts::of_begun(on_shutdown))
    }

    /// A job begins that is in the queue still.
    pub(super) fn queued(on_shutdown: OnShutdown) -> Self {
        Self::counted(JobCounts::of_queued(on_shutdown))
    }

    fn counted(job: JobCounts) -> Self {
        INSIDE.with(|it| {
            let mut inside = it.get();
            inside.jobs.add(job);
            it.set(inside);
        });
        Self(job)
    }
}

impl Drop for JobOnStackGuard {
    fn drop(&mut self) {
        INSIDE.with(|it| {
            let mut inside = it.get();
            inside.jobs.subtract(self.0);
            it.set(inside);
        });
    }
}

/// A queue entry.
pub(super) struct QueuedJob {
    pub(super) job: Runnable,
    pub(super) on_shutdown: OnShutdown,
}

struct StartedJob {
    job: TaskRef,
    on_shutdown: OnShutdown,
}

/// The jobs of a pool that are not known to be over.
#[derive(Default)]
pub(super) struct PoolJobs {
    queue: VecDeque<QueuedJob>,
    /// The jobs that threads have started.
    started: HashMap<TaskId, StartedJob>,
    awaited: JobCounts,
}

impl PoolJobs {
    pub(super) fn push(&mut self, entry: QueuedJob) {
        self.awaited.add(JobCounts::of_queued(entry.on_shutdown));
        self.queue.push_back(entry);
    }

    /// Removes the entry that was pushed last.
    pub(super) fn pop_last(&mut self) -> Option<QueuedJob> {
        let entry = self.queue.pop_back()?;
        self.awaited
            .subtract(JobCounts::of_queued(entry.on_shutdown));
        Some(entry)
    }

    /// A thread takes the next job.
    pub(super) fn take(&mut self) -> Option<QueuedJob> {
        let entry = self.queue.pop_front()?;
        self.awaited
            .subtract(JobCounts::of_queued(entry.on_shutdown));
        self.awaited.add(JobCounts::of_begun(entry.on_shutdown));
        let started = StartedJob {
            job: TaskRef::of(&entry.job),
            on_shutdown: entry.on_shutdown,
        };
        self.started.insert(entry.job.id(), started);
        Some(entry)
    }

    /// The thread is done with the job. The caller drops the reference outside of the lock.
    pub(super) fn finish_job(&mut self, job: TaskId) -> Option<TaskRef> {
        let started = self.started.remove(&job)?;
        self.awaited
            .subtract(JobCounts::of_begun(started.on_shutdown));
        Some(started.job)
    }

    /// Removes an entry whose job is over, most probably the last.
    pub(super) fn remove_stale(&mut self) -> Option<QueuedJob> {
        let is_over = |it: &QueuedJob| TaskRef::of(&it.job).is_complete();
        let place = self.queue.iter().rposition(is_over)?;
        let stale = self.queue.remove(place)?;
        self.awaited
            .subtract(JobCounts::of_queued(stale.on_shutdown));
        Some(stale)
    }

    /// Removes the entries whose jobs need not run.
    pub(super) fn remove_optional(&mut self) -> Vec<QueuedJob> {
        let (mandatory, optional) = std::mem::take(&mut self.queue)
            .into_iter()
            .partition(|it| it.on_shutdown == OnShutdown::Run);
        self.queue = mandatory;
        Vec::from(optional)
    }

    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// The number of jobs that the end waits for.
    pub(super) fn awaited(&self) -> JobCounts {
        self.awaited
    }

    /// The jobs that wait for a thread or run on one.
    pub(super) fn all(&self) -> Vec<TaskRef> {
        let started = self.started.values().map(|it| it.job.clone());
        let queued = self.queue.iter().map(|it| TaskRef::of(&it.job));
        started.chain(queued).collect()
    }

    /// The jobs that the end waits for.
    pub(super) fn unfinished(&self) -> Vec<TaskRef> {
        let started = self.started.values();
        let begun = started.filter(|it| it.on_shutdown != OnShutdown::Abandon);
        let queued = self
            .queue
            .iter()
            .filter(|it| it.on_shutdown == OnShutdown::Run);
        let begun = begun.map(|it| it.job.clone());
        begun.chain(queued.map(|it| TaskRef::of(&it.job))).collect()
    }
}
