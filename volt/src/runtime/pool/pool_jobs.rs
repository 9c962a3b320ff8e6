//! The jobs of a blocking pool: which are queued, which run, and which the end waits for.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

use crate::loom::thread_local_const;
use crate::task::{Runnable, TaskId, TaskRef};

thread_local_const! {
    /// The pool of this thread, and the jobs that this thread is in.
    static INSIDE: Cell<Inside> = Cell::new(Inside::NOWHERE);
}

/// The behaviour of the end of the runtime for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runtime) enum AtEnd {
    /// The job runs in any case, also if it is still queued, and the end waits for it.
    Run,
    /// The end cancels the job while it is queued, and waits for it once it runs.
    Finish,
    /// The end cancels the job while it is queued, and does not wait for it.
    Abandon,
}

/// A number of jobs, as the end waits for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Awaited {
    /// The jobs that must run.
    pub(super) mandatory: usize,
    /// Those, and the other jobs that have begun.
    pub(super) all: usize,
}

impl Awaited {
    fn of_begun(at_end: AtEnd) -> Self {
        Self {
            mandatory: usize::from(at_end == AtEnd::Run),
            all: usize::from(at_end != AtEnd::Abandon),
        }
    }

    fn of_queued(at_end: AtEnd) -> Self {
        let mandatory = usize::from(at_end == AtEnd::Run);
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
pub(super) struct Inside {
    /// The address of the pool, or zero.
    pub(super) pool: usize,
    /// The jobs on the stack that count for the end. The end must not wait for them.
    pub(super) jobs: Awaited,
}

impl Inside {
    const NOWHERE: Self = Self {
        pool: 0,
        jobs: Awaited {
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
pub(super) struct OnStack(Awaited);

impl OnStack {
    /// A job that a thread has taken begins.
    pub(super) fn taken(at_end: AtEnd) -> Self {
        Self::counted(Awaited::of_begun(at_end))
    }

    /// A job begins that is in the queue still.
    pub(super) fn queued(at_end: AtEnd) -> Self {
        Self::counted(Awaited::of_queued(at_end))
    }

    fn counted(job: Awaited) -> Self {
        INSIDE.with(|it| {
            let mut inside = it.get();
            inside.jobs.add(job);
            it.set(inside);
        });
        Self(job)
    }
}

impl Drop for OnStack {
    fn drop(&mut self) {
        INSIDE.with(|it| {
            let mut inside = it.get();
            inside.jobs.subtract(self.0);
            it.set(inside);
        });
    }
}

/// A queue entry.
pub(super) struct Queued {
    pub(super) job: Runnable,
    pub(super) at_end: AtEnd,
}

struct Taken {
    job: TaskRef,
    at_end: AtEnd,
}

/// The jobs of a pool that are not known to be over.
#[derive(Default)]
pub(super) struct PoolJobs {
    queue: VecDeque<Queued>,
    /// The jobs that threads have taken.
    taken: HashMap<TaskId, Taken>,
    awaited: Awaited,
}

impl PoolJobs {
    pub(super) fn push(&mut self, entry: Queued) {
        self.awaited.add(Awaited::of_queued(entry.at_end));
        self.queue.push_back(entry);
    }

    /// Removes the entry that was pushed last.
    pub(super) fn pop_last(&mut self) -> Option<Queued> {
        let entry = self.queue.pop_back()?;
        self.awaited.subtract(Awaited::of_queued(entry.at_end));
        Some(entry)
    }

    /// A thread takes the next job.
    pub(super) fn take(&mut self) -> Option<Queued> {
        let entry = self.queue.pop_front()?;
        self.awaited.subtract(Awaited::of_queued(entry.at_end));
        self.awaited.add(Awaited::of_begun(entry.at_end));
        let taken = Taken {
            job: TaskRef::of(&entry.job),
            at_end: entry.at_end,
        };
        self.taken.insert(entry.job.id(), taken);
        Some(entry)
    }

    /// The thread is done with the job. The caller drops the reference outside of the lock.
    pub(super) fn put_away(&mut self, job: TaskId) -> Option<TaskRef> {
        let taken = self.taken.remove(&job)?;
        self.awaited.subtract(Awaited::of_begun(taken.at_end));
        Some(taken.job)
    }

    /// Removes an entry whose job is over, most probably the last.
    pub(super) fn remove_stale(&mut self) -> Option<Queued> {
        let is_over = |it: &Queued| TaskRef::of(&it.job).is_complete();
        let place = self.queue.iter().rposition(is_over)?;
        let stale = self.queue.remove(place)?;
        self.awaited.subtract(Awaited::of_queued(stale.at_end));
        Some(stale)
    }

    /// Removes the entries whose jobs need not run.
    pub(super) fn remove_optional(&mut self) -> Vec<Queued> {
        let (mandatory, optional) = std::mem::take(&mut self.queue)
            .into_iter()
            .partition(|it| it.at_end == AtEnd::Run);
        self.queue = mandatory;
        Vec::from(optional)
    }

    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// The number of jobs that the end waits for.
    pub(super) fn awaited(&self) -> Awaited {
        self.awaited
    }

    /// The jobs that wait for a thread or run on one.
    pub(super) fn all(&self) -> Vec<TaskRef> {
        let taken = self.taken.values().map(|it| it.job.clone());
        let queued = self.queue.iter().map(|it| TaskRef::of(&it.job));
        taken.chain(queued).collect()
    }

    /// The jobs that the end waits for.
    pub(super) fn unfinished(&self) -> Vec<TaskRef> {
        let taken = self.taken.values();
        let begun = taken.filter(|it| it.at_end != AtEnd::Abandon);
        let queued = self.queue.iter().filter(|it| it.at_end == AtEnd::Run);
        let begun = begun.map(|it| it.job.clone());
        begun.chain(queued.map(|it| TaskRef::of(&it.job))).collect()
    }
}
