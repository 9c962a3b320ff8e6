//! `JobQueue`: entries that blocking jobs run one after the other.
//!
//! # Protocol
//!
//! 1. [`push`](JobQueue::push) appends an entry. A mandatory entry needs a pending job that must
//!    run. Another entry needs any pending job. If there is none, `push` submits it under the lock
//!    of the entries.
//! 2. A job runs entries until it finds none, and is no longer pending from then on. It takes each
//!    entry under a second lock, which it holds while the entry runs. So entries run in the order
//!    in which they were pushed, whichever job runs them.
//! 3. Shutdown may drop a job that need not run. All entries that are left then are optional,
//!    because a mandatory entry has a job that must run. They are dropped.
//! 4. Wakers are called outside of both locks.
//! 5. [`run_now`](JobQueue::run_now) runs an operation on the calling thread, under the second
//!    lock, if no entry is queued. So the operation has its place in the order of the entries.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::Location;
use std::task::Waker;

use super::spawn_blocking::UnsubmittedJob;
use crate::loom::sync::{Arc, Mutex};
use crate::runtime::context;
use crate::runtime::pool::OnShutdown;
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
    /// The number of the pending job that must run.
    mandatory: Option<u64>,
    /// The number of the pending job that shutdown may cancel.
    optional: Option<u64>,
    /// The number of the newest job.
    newest: u64,
    /// The number of entries that were appended so far.
    pushed: u64,
}

/// The treatment of an entry at the shutdown of its runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Shutdown runs the entry.
    Mandatory,
    /// Shutdown may drop the entry.
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
        let mut entries = self.entries.lock();
        if !entries.is_covered(urgency) {
            entries.newest += 1;
            let number = entries.newest;
            drop(entries);
            // Made outside of the lock, because it may call a subscriber of `tracing`.
            let job = self.new_job(urgency, number, location);
            entries = self.entries.lock();
            if entries.is_covered(urgency) {
                entries.append(entry);
                drop(entries);
                // Another thread has submitted a job in between.
                drop(job);
                return Ok(());
            }
            *entries.pending(urgency) = Some(number);
            if let Err(rejected) = job.submit() {
                *entries.pending(urgency) = None;
                drop(entries);
                return Err(rejected.into_error());
            }
        }
        entries.append(entry);
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

    /// Returns the number of entries that were appended so far.
    #[cfg(feature = "fs")]
    pub(crate) fn pushed(&self) -> u64 {
        self.entries.lock().pushed
    }

    #[track_caller]
    fn new_job(
        self: &Arc<Self>,
        urgency: Urgency,
        number: u64,
        location: &'static Location<'static>,
    ) -> UnsubmittedJob {
        let on_shutdown = match urgency {
            Urgency::Mandatory => OnShutdown::Run,
            Urgency::Optional => OnShutdown::Wait,
        };
        let pending = PendingJob {
            queue: Arc::clone(self),
            urgency,
            number,
        };
        context::with(|runtime| {
            UnsubmittedJob::new(runtime, move || pending.run(), on_shutdown, location)
        })
    }

    /// Runs the next entry for the job with this number. Returns `false` if there is none; the job
    /// is no longer pending then.
    fn run_next(&self, urgency: Urgency, number: u64) -> bool {
        let running = self.running.lock();
        let mut entries = self.entries.lock();
        let Some(entry) = entries.queue.pop_front() else {
            entries.end_job(urgency, number);
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
    fn append(&mut self, entry: Entry) {
        self.queue.push_back(entry);
        self.pushed += 1;
    }

    /// Returns `true` if a pending job will run an entry of this kind.
    fn is_covered(&self, urgency: Urgency) -> bool {
        self.mandatory.is_some() || (self.optional.is_some() && urgency == Urgency::Optional)
    }

    fn pending(&mut self, urgency: Urgency) -> &mut Option<u64> {
        match urgency {
            Urgency::Mandatory => &mut self.mandatory,
            Urgency::Optional => &mut self.optional,
        }
    }

    fn end_job(&mut self, urgency: Urgency, number: u64) {
        self.pending(urgency).take_if(|pending| *pending == number);
    }
}

/// A job that has not ended.
struct PendingJob {
    queue: Arc<JobQueue>,
    urgency: Urgency,
    number: u64,
}

impl PendingJob {
    fn run(self) {
        while self.queue.run_next(self.urgency, self.number) {}
    }
}

impl Drop for PendingJob {
    /// Drops the entries that the job would have run, if the job was cancelled.
    fn drop(&mut self) {
        let mut entries = self.queue.entries.lock();
        entries.end_job(self.urgency, self.number);
        let is_orphaned = entries.mandatory.is_none() && entries.optional.is_none();
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
