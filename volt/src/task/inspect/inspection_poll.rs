//! The inspection poll: a poll of an idle task that finds the futures for which it waits.
//!
//! The walk over a task stops at futures that do not implement `Inspect`: a plain `async` block, a
//! `dyn Future`, a future of another crate. An inspection poll sees through them. The future is
//! polled once with a waker that wakes the task as usual, and records where it is cloned. A future
//! that waits clones the waker of each poll, unless it has stored an equal one. So the functions on
//! the stack of a clone are those from the future of the task to the one that waits.
//!
//! A future must accept a poll without an event, so a pending one stays pending. A future whose
//! event has arrived proceeds, as it would in the poll that this event causes.
//!
//! The poll has the ordinary protocol of the state word: a claim makes the idle task running, and
//! the end of the poll suspends or completes the task. So no wake is lost.
//!
//! An orphan is polled on request only, with a waker whose clones wake nothing. So the task has no
//! waker after the poll, as before it: it stays an orphan, and the inspection hides no fault.

use crate::task::reference::{CloneTrace, RawTask, WakerTable};
use crate::task::word::{Lifecycle, flag};

/// The result of an inspection poll.
#[derive(Debug)]
#[must_use]
pub(crate) enum InspectionPoll {
    /// The future was polled, and is pending.
    Pending {
        /// The traces of the clones, or of the first ones.
        traces: Vec<CloneTrace>,
        /// The number of clones.
        clones: usize,
        /// The number of polls of the task, which does not count this one.
        polls: u32,
    },
    /// The future was polled, and the task is complete.
    Ended,
    /// The task was not polled, because of its state.
    Refused(PollRefusal),
}

/// The state of a task that an inspection does not poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PollRefusal {
    /// Another thread polls it.
    Running,
    /// A worker will poll it.
    Queued,
    /// It has no waker left, and orphans are refused.
    Orphaned,
    /// It is complete.
    Complete,
}

/// The inspection polls of orphans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrphanPolls {
    /// Orphans are not polled.
    Refused,
    /// Orphans are polled with wakers that wake nothing. A future that has room for one waker, and
    /// is shared by several tasks, loses the waker of another task then, as in any poll.
    Inert,
}

/// Polls an idle task with a waker that records its clones.
///
/// The caller may poll tasks of this scheduler on this thread.
pub(in crate::task) fn poll_recorded(task: &RawTask, orphans: OrphanPolls) -> InspectionPoll {
    let seen = task.state().load();
    let is_refused = orphans == OrphanPolls::Refused;
    let refusal = match seen.lifecycle() {
        Lifecycle::Idle if seen.has(flag::ORPHANED) && is_refused => Some(PollRefusal::Orphaned),
        Lifecycle::Idle => None,
        Lifecycle::Scheduled => Some(PollRefusal::Queued),
        Lifecycle::Running => Some(PollRefusal::Running),
        Lifecycle::Complete => Some(PollRefusal::Complete),
    };
    if let Some(refusal) = refusal {
        return InspectionPoll::Refused(refusal);
    }
    match task.claim() {
        Ok(claim) => match claim.lifecycle() {
            // Another thread has woken the task since the state was read. The end of the claim
            // leaves its queue entry valid.
            Lifecycle::Scheduled => InspectionPoll::Refused(PollRefusal::Queued),
            // Another thread may have reported the task as an orphan since the state was read.
            _ if task.state().load().has(flag::ORPHANED) => match orphans {
                OrphanPolls::Refused => InspectionPoll::Refused(PollRefusal::Orphaned),
                OrphanPolls::Inert => claim.poll_recorded(WakerTable::INERT),
            },
            _ => claim.poll_recorded(WakerTable::RECORDING),
        },
        Err(Lifecycle::Complete) => InspectionPoll::Refused(PollRefusal::Complete),
        Err(_) => InspectionPoll::Refused(PollRefusal::Running),
    }
}
