//! `JobQueue`: entries that blocking jobs run one after the other.
//!
//! # Protocol
//!
//! 1. [`push`](JobQueue::push) appends an entry. A mandatory entry needs a pending job of its
//!    runtime that must run. Another entry needs any pending job of its runtime. If there is none,
//!    `push` submits it under the lock of the entries.
//! 2. A job runs entries until it finds none, and is no longer pending from then on. It takes each
//!    entry under a second lock, which it holds while the entry runs. So entries run in the order
//!    in which they were pushed, whichever job runs them.
//! 3. Shutdown may drop a job that need not run. If no other job is pending, all entries that are
//!    left are optional, because a mandatory entry has a job that must run. They are dropped.
//! 4. Handles of several runtimes may share a queue, as those of the standard output do. The
//!    shutdown of a runtime waits for its own jobs only. A job ends when the queue is empty, so the
//!    entries of its runtime have ended by then, whichever job ran them.
//! 5. Wakers are called outside of both locks.
//! 6. [`run_now`](JobQueue::run_now) runs an operation on the calling thread, under the second
//!    lock, if no entry is queued. So the operation has its place in the order of the entries.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::Location;
use std::task::Waker;

use super::spawn_blocking::UnsubmittedJob;
use crate::loom::sync::{Arc, Mutex};
use crate::runtime::context;
use crate::runtime::handle::Handle;
use crate::runtime::pool::OnShutdown;
use crate::runtime::runtime_id::RuntimeId;
use crate::util::catch_and_discard;

/// An entry of the queue. It returns the waker of the task that waits for it.
pub(crate) type Entry = Box<dyn FnOnce() -> Option<Waker> + Send>;

/// A queue of entries that blocking jobs run in order.
#[derive(Default)]
pub(crate) struct JobQueue {
    entries: Mutex<Entries>,
    running: Mutex<()>,
}

#[derive(Default)]
struct Entries {
    queue: VecDeque<Entry>,
    /// The jobs that have not ended: at most one of each urgency for each runtime.
    pending: Vec<PendingNumber>,
    /// The number of the newest job.
    newest: u64,
    pushed: PushedEntries,
}

/// The numbers of entries that were appended so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PushedEntries {
    optional: u64,
    mandatory: u64,
}

#[cfg(feature = "fs")]
impl PushedEntries {
    /// Returns `true` if a mandatory entry was appended after `earlier`.
    pub(crate) fn has_mandatory_after(self, earlier: Self) -> bool {
        self.mandatory != earlier.mandatory
    }
}

/// The record of a pending job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PendingNumber {
    runtime: RuntimeId,
    urgency: Urgency,
    number: u64,
}

/// The treatment of an entry at the shutdown of its runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Shutdown runs the entry.
    Mandatory,
    /// Shutdown may drop the entry, and does not wait for it.
    Optional,
}

impl JobQueue {
    /// Appends an entry.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime was shut down, or if the system starts no thread. The entry
    /// is dropped then.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime, if a job is needed.
    #[track_caller]
    pub(crate) fn push(self: &Arc<Self>, urgency: Urgency, entry: Entry) -> io::Result<()> {
        let location = Location::caller();
        let runtime = context::try_with(Handle::id);
        let mut entries = self.entries.lock();
        if !entries.is_covered(urgency, runtime) {
            entries.newest += 1;
            let number = entries.newest;
            drop(entries);
            // Made outside of the lock, because it may call a subscriber of `tracing`.
            let (job, pending) = self.new_job(urgency, number, location);
            entries = self.entries.lock();
            if entries.is_covered(urgency, runtime) {
                entries.append(urgency, entry);
                drop(entries);
                // Another thread has submitted a job in between.
                drop(job);
                return Ok(());
            }
            entries.pending.push(pending);
            if let Err(rejected) = job.submit() {
                entries.end_job(pending);
                drop(entries);
                return Err(rejected.into_error());
            }
        }
        entries.append(urgency, entry);
        Ok(())
    }

    /// Runs the operation on this thread, if no entry is queued or runs. The operation must not
    /// block.
    #[cfg(feature = "fs")]
    pub(crate) fn run_now<T>(&self, operation: impl FnOnce() -> T) -> Option<T> {
        let _running = self.running.try_lock()?;
        if !self.entries.lock().queue.is_empty() {
            return None;
        }
        Some(operation())
    }

    /// Returns the numbers of entries that were appended so far.
    #[cfg(feature = "fs")]
    pub(crate) fn pushed(&self) -> PushedEntries {
        self.entries.lock().pushed
    }

    #[track_caller]
    fn new_job(
        self: &Arc<Self>,
        urgency: Urgency,
        number: u64,
        location: &'static Location<'static>,
    ) -> (UnsubmittedJob, PendingNumber) {
        let on_shutdown = match urgency {
            Urgency::Mandatory => OnShutdown::Run,
            Urgency::Optional => OnShutdown::Abandon,
        };
        context::with(|runtime| {
            let number = PendingNumber {
                runtime: runtime.id(),
                urgency,
                number,
            };
            let pending = PendingJob {
                queue: Arc::clone(self),
                number,
            };
            let run = move || pending.run();
            let job = UnsubmittedJob::new(runtime, run, on_shutdown, location);
            (job, number)
        })
    }

    /// Runs the next entry for this job. Returns `false` if there is none; the job is no longer
    /// pending then.
    fn run_next(&self, job: PendingNumber) -> bool {
        let running = self.running.lock();
        let mut entries = self.entries.lock();
        let Some(entry) = entries.queue.pop_front() else {
            entries.end_job(job);
            return false;
        };
        drop(entries);
        let waker = entry();
        drop(running);
        if let Some(waker) = waker {
            // A waker is foreign code.
            catch_and_discard(|| waker.wake());
        }
        true
    }
}

impl Entries {
    fn append(&mut self, urgency: Urgency, entry: Entry) {
        self.queue.push_back(entry);
        match urgency {
            Urgency::Mandatory => self.pushed.mandatory += 1,
            Urgency::Optional => self.pushed.optional += 1,
        }
    }

    /// Returns `true` if a pending job of the runtime will run an entry of this kind. On a thread
    /// that is in no runtime, the job of any runtime does.
    fn is_covered(&self, urgency: Urgency, runtime: Option<RuntimeId>) -> bool {
        self.pending.iter().any(|job| {
            let is_here = runtime.is_none_or(|runtime| runtime == job.runtime);
            is_here && (job.urgency == Urgency::Mandatory || urgency == Urgency::Optional)
        })
    }

    fn end_job(&mut self, job: PendingNumber) {
        self.pending.retain(|pending| *pending != job);
    }
}

/// A job that has not ended.
struct PendingJob {
    queue: Arc<JobQueue>,
    number: PendingNumber,
}

impl PendingJob {
    fn run(self) {
        while self.queue.run_next(self.number) {}
    }
}

impl Drop for PendingJob {
    /// Drops the entries that the job would have run, if the job was cancelled.
    fn drop(&mut self) {
        let mut entries = self.queue.entries.lock();
        entries.end_job(self.number);
        let is_orphaned = entries.pending.is_empty();
        let dropped = is_orphaned.then(|| std::mem::take(&mut entries.queue));
        drop(entries);
        drop(dropped);
    }
}

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queued = self.entries.lock().queue.len();
        f.debug_struct("JobQueue")
            .field("queued", &queued)
            .finish_non_exhaustive()
    }
}
