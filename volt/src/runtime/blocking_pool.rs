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
//!    or the idle timeout. A thread that times out with nothing queued ends.
//! 3. A job is [at work](crate::driver::Activity) from its submission until after its joiner was
//!    woken, so that no paused clock jumps meanwhile.
//! 4. A job that joins one which is queued runs it inside, as all threads might be in such joins.
//!    The entry turns stale, and goes the moment the inner job is over.
//! 5. Shutdown sets a flag and wakes all. Queued jobs are completed as cancelled. Whoever ends the
//!    runtime then waits in [`finish`](BlockingPool::finish) for the jobs that threads have taken and
//!    that [`AtEnd`] says to wait for; the thread that takes such a job counts it, and the one that
//!    is done with it says so.
//!
//! # Invariants
//!
//! - I1: `idle` counts the waiting threads that no notification is owed to: the notifier moves
//!   one from `idle` to `owed`, and whichever thread wakes first takes it from there. So two
//!   pushes never count on one thread, and a spurious wake-up changes nothing.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::pool_waits::PoolWait;
use crate::driver::DriverHandle;
use crate::loom::sync::{Condvar, Mutex, MutexGuard};
use crate::loom::thread;
use crate::loom::thread_local_const;
use crate::task::{self, Runnable, TaskId, TaskRef};

thread_local_const! {
    /// The address of the pool that this thread is of.
    static POOL: Cell<usize> = Cell::new(0);
}

/// A job of a pool waits for the job that this thread is in, and so must not be waited for.
#[derive(Debug)]
pub(super) struct WaitsForThisThread;

/// Whether the end of the runtime waits for a job that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtEnd {
    /// It does: the job's effects may matter to somebody.
    Finish,
    /// It does not: the job has nothing but an answer, which nobody will read.
    Abandon,
}

/// How many threads a pool may have, and how long an idle one stays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) threads: usize,
    pub(super) idle_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            threads: 512,
            idle_timeout: Duration::from_secs(10),
        }
    }
}

/// The pool.
pub(super) struct BlockingPool {
    limits: Limits,
    thread_name: String,
    driver: DriverHandle,
    state: Mutex<State>,
    work: Condvar,
    /// After the pool was closed: a job that is waited for is over.
    finished: Condvar,
}

/// A queue entry.
struct Queued {
    job: Runnable,
    at_end: AtEnd,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Queued>,
    threads: usize,
    idle: usize,
    owed: usize,
    closed: bool,
    /// The jobs that threads have taken, and that are not known to be over.
    taken: HashMap<TaskId, Taken>,
    /// How many of them the end waits for.
    unfinished: usize,
}

struct Taken {
    job: TaskRef,
    at_end: AtEnd,
}

impl State {
    /// A thread takes the next job.
    fn take(&mut self) -> Option<Runnable> {
        let Queued { job, at_end } = self.queue.pop_front()?;
        let taken = Taken {
            job: TaskRef::of(&job),
            at_end,
        };
        self.taken.insert(job.id(), taken);
        self.unfinished += usize::from(at_end == AtEnd::Finish);
        Some(job)
    }

    /// The thread is done with the job.
    fn put_away(&mut self, job: TaskId) -> Option<Taken> {
        let taken = self.taken.remove(&job)?;
        self.unfinished -= usize::from(taken.at_end == AtEnd::Finish);
        Some(taken)
    }
}

impl BlockingPool {
    pub(super) fn new(thread_name: String, limits: Limits, driver: DriverHandle) -> Self {
        Self {
            limits,
            thread_name,
            driver,
            state: Mutex::new(State::default()),
            work: Condvar::new(),
            finished: Condvar::new(),
        }
    }

    /// Queues `job`, and calls `start` where a new thread is wanted: a thread that runs
    /// [`work`](Self::work).
    ///
    /// Returns the job when the pool is closed, or, with the system's reason, when it has no thread
    /// and can start none.
    pub(super) fn submit(
        &self,
        job: Runnable,
        at_end: AtEnd,
        start: impl FnOnce(thread::Builder) -> io::Result<()>,
    ) -> Result<(), (Runnable, Option<io::Error>)> {
        let mut state = self.state.lock();
        if state.closed {
            return Err((job, None));
        }
        state.queue.push_back(Queued { job, at_end });
        if state.idle > 0 {
            state.idle -= 1;
            state.owed += 1;
            self.work.notify_one();
        } else if state.threads < self.limits.threads {
            state.threads += 1;
            let builder = thread::Builder::new().name(self.thread_name.clone());
            if let Err(error) = start(builder) {
                state.threads -= 1;
                // Another thread will come to it; with none at all nobody would.
                if state.threads == 0
                    && let Some(Queued { job, .. }) = state.queue.pop_back()
                {
                    return Err((job, Some(error)));
                }
            }
        }
        self.driver.activity().begin();
        Ok(())
    }

    /// Runs jobs on this thread until it is no longer wanted.
    pub(super) fn work(&self) {
        POOL.with(|pool| pool.set(self.address()));
        self.run_jobs();
        // The destructors of thread-locals are in no job.
        POOL.with(|pool| pool.set(0));
    }

    fn run_jobs(&self) {
        let mut last = None;
        while let Some(job) = self.next_job(last) {
            last = Some(job.id());
            task::set_clock(Instant::now());
            // A job is done at its first poll, so there is nothing to queue again.
            drop(job.run());
            self.driver.end_work();
        }
    }

    /// Calls `run`, in which a queued job is run here, if this is one of the pool's threads.
    pub(super) fn host(&self, run: &mut dyn FnMut()) -> bool {
        if !self.is_of_this_thread() {
            return false;
        }
        run();
        self.forget_one();
        true
    }

    /// Whether this thread is one of the pool's, and so in one of its jobs.
    fn is_of_this_thread(&self) -> bool {
        POOL.try_with(Cell::get) == Ok(self.address())
    }

    /// Takes an entry out of the queue that has turned stale, most probably the last.
    fn forget_one(&self) {
        let is_over = |it: &Queued| TaskRef::of(&it.job).is_complete();
        let mut state = self.state.lock();
        let place = state.queue.iter().rposition(is_over);
        let stale = place.and_then(|place| state.queue.remove(place));
        drop(state);
        if let Some(stale) = stale {
            stale.job.shutdown();
            self.driver.end_work();
        }
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Waits for a job, after the `last` one of this thread; `None` ends the thread, whose place is
    /// then free.
    fn next_job(&self, last: Option<TaskId>) -> Option<Runnable> {
        let mut state = self.state.lock();
        if let Some(last) = last.and_then(|last| state.put_away(last)) {
            if state.closed {
                self.finished.notify_all();
            }
            // It may be the last reference to the task.
            drop(state);
            drop(last);
            state = self.state.lock();
        }
        loop {
            if let Some(job) = state.take() {
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
        mut state: MutexGuard<'a, State>,
    ) -> (MutexGuard<'a, State>, bool) {
        state.idle += 1;
        loop {
            if state.closed {
                return (state, false);
            }
            let timed_out;
            (state, timed_out) = self.work.wait_timeout(state, self.limits.idle_timeout);
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
    pub(super) fn jobs(&self) -> Vec<TaskRef> {
        let state = self.state.lock();
        let taken = state.taken.values().map(|it| it.job.clone());
        let queued = state.queue.iter().map(|it| TaskRef::of(&it.job));
        taken.chain(queued).collect()
    }

    /// The jobs that [`finish`](Self::finish) waits for.
    pub(super) fn unfinished(&self) -> Vec<TaskRef> {
        let state = self.state.lock();
        let taken = state.taken.values();
        let awaited = taken.filter(|it| it.at_end == AtEnd::Finish);
        awaited.map(|it| it.job.clone()).collect()
    }

    /// The name of all its threads.
    pub(super) fn thread_name(&self) -> &str {
        &self.thread_name
    }

    /// Refuses further jobs and completes the queued ones as cancelled. Running jobs go on; see
    /// [`finish`](Self::finish).
    pub(super) fn close(&self) {
        let queued = {
            let mut state = self.state.lock();
            state.closed = true;
            self.work.notify_all();
            std::mem::take(&mut state.queue)
        };
        for Queued { job, .. } in queued {
            job.shutdown();
            self.driver.end_work();
        }
    }

    /// This thread is about to wait for the jobs without a limit. Nothing is to be noted of a thread
    /// that is of no pool, or of this one.
    pub(super) fn begin_wait(&self) -> Result<Option<PoolWait>, WaitsForThisThread> {
        let own = POOL.try_with(Cell::get).unwrap_or(0);
        if own == 0 || own == self.address() {
            return Ok(None);
        }
        let wait = PoolWait::begin(own, self.address());
        wait.map(Some).ok_or(WaitsForThisThread)
    }

    /// Waits in a closed pool until the jobs that have begun are over, but for the one that this is
    /// called in. False if the deadline came first.
    pub(super) fn finish(&self, deadline: Option<Instant>) -> bool {
        let own = usize::from(self.is_of_this_thread());
        let mut state = self.state.lock();
        while state.unfinished > own {
            let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return false;
            }
            state = self.finished.wait(state, left);
        }
        true
    }
}

impl fmt::Debug for BlockingPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.lock();
        f.debug_struct("BlockingPool")
            .field("threads", &state.threads)
            .field("idle", &state.idle)
            .field("queued", &state.queue.len())
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use crate::runtime::{Builder, Handle, spawn_blocking};

    #[test]
    fn join_of_a_queued_job_takes_its_entry() {
        let builder = Builder::new().worker_threads(1).max_blocking_threads(1);
        let runtime = builder.build().unwrap();
        let outer = runtime.spawn_blocking(|| {
            let entries = || Handle::current().blocking.state.lock().queue.len();
            let first = spawn_blocking(|| ());
            for _ in 0..100 {
                spawn_blocking(|| ()).join().unwrap();
                assert_eq!(entries(), 1);
            }
            let cancelled = spawn_blocking(|| ());
            cancelled.cancel();
            assert!(cancelled.join().unwrap_err().is_cancelled());
            assert_eq!(entries(), 1);
            first.join().unwrap();
            assert_eq!(entries(), 0);
        });
        outer.join().unwrap();
    }
}
