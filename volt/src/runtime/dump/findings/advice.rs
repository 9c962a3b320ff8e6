//! The meaning of each kind of finding, and the next step.

use super::finding::{Finding, FindingKind};

const BLOCKED_WORKER: &str = "The poll does not return, so the worker runs no other task. \
    Look at the code after the last await: a lock, a blocking call or a loop.";

/// The advice about a poll that waits in the system call futex.
pub(super) const IN_FUTEX: &str = "The poll does not return, so the worker runs no other task. \
    Look at the code after the last await: a lock, a channel or a join of the standard library.";

/// The advice about a poll that waits in another system call.
pub(super) const IN_SYSTEM_CALL: &str = "The poll does not return, so the worker runs no other \
    task. Look at the code after the last await: a blocking call.";

/// The advice about a poll that computes.
pub(super) const COMPUTES: &str = "The poll does not return, so the worker runs no other task. \
    Look at the code after the last await: a loop or a long computation.";

/// The advice about tasks that wait for a lock after an earlier await.
pub(super) const ORDER_OF_LOCKS: &str = "The owner of the lock does not release it. \
    These tasks may own locks of each other, taken in opposite order: look in these functions for \
    a lock that was taken before these lines, and whose guard is alive there. Otherwise, a task \
    stores the guard, or a future that is next in the queue, while it waits.";

/// The advice about tasks that wait for a lock and have further wakers.
pub(super) const STORED_FUTURE: &str = "The owner of the lock does not release it. \
    A task may store a future that is next in the queue: look at the variables that are alive at \
    its line, and drop such a future or poll it. Otherwise, look in these functions for a lock \
    that was taken before these lines, in opposite order or with a guard that is stored.";

/// The advice about a lock whose guard is known to be in a task that waits for another event.
pub(super) const KNOWN_GUARD: &str = "The task with the guard or permit waits for another event, \
    so the others wait for this event, too. Release it before the await of this task: end its \
    block or call `drop`. Otherwise, set a time limit for the event.";

/// The advice about a lock whose owner may be a task that waits at a later line.
pub(super) const LATER_WAIT: &str = "The owner of the lock does not release it. If a guard is \
    alive at the later line, the tasks that wait for the lock wait for the event of that line, too. \
    Then release the guard before that await: end its block or call `drop`.";

/// The advice about a lock that was passed to a future which its task does not poll.
pub(super) const PASSED_LOCK: &str = "The task waits for the lock or permit that a future of its \
    own has got, and does not poll this future. So no code releases it. Drop the stored future \
    before this await, poll both together by `join`, or spawn the future.";

const NEVER_GIVES_WAY: &str = "Each awaited future is ready at once, so the poll does not return, \
    and the worker runs no other task. Put `#[volt::state_machine]` on the function, \
    or await `volt::task::consume_budget()` in the loop.";

const LONG_JOB: &str = "The job does not end, so the tasks that wait for it wait too. \
    Look at its function: the event that it blocks on may not occur.";

const MORE_WAKERS: &str = "Look at the variables that are alive at this place. \
    A future that was polled before and is not awaited here may own a lock or a permit, \
    or be the next in its queue. It is the cause if the tasks that wait for a lock \
    make no progress.";

const STORED: &str = "The task awaits something else, so the stored future makes no progress. A \
    lock, permit or connection that it owns, or that is passed to it, is not released either. \
    Poll both by `join` or `select`, spawn the future, or drop it before this await.";

const STALLED_WRITE: &str = "The peer does not read, so the buffers of the connection are full. \
    Add a time limit to the write, and close the connection when it ends.";

/// The advice about many tasks at a place at which none is spawned any more.
pub(super) const NOT_GROWING: &str = "Look at the code that should notify these tasks, \
    and whether it notifies all of them.";

const GROWING: &str = "If the number goes on growing, tasks are spawned that do not end. \
    Look at the place of the spawn, and at the event that should end them.";

impl FindingKind {
    /// Returns the meaning of findings of this kind, and the code to look at next.
    ///
    /// The text of a dump, the inspection page and `cargo volt` show it after the findings.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Cycle => "None of these tasks can go on. Remove one of the waits.",
            Self::Orphan => {
                "No event can wake these tasks, because no waker of them exists any more. \
                 The awaited future, or the code that should notify it, has dropped or overwritten the waker."
            }
            Self::BlockedWorker => BLOCKED_WORKER,
            Self::NeverGivesWay => NEVER_GIVES_WAY,
            Self::LongJob => LONG_JOB,
            Self::Starved => {
                "These tasks are ready, and no worker polls them. \
                 The polls that block the workers are the cause."
            }
            Self::OverdueTimers => {
                "No worker waits in the driver, which fires timers and reports sockets. \
                 The polls that block the workers are the cause. If none is shown, \
                 no thread runs this runtime: look for the end of its `block_on`."
            }
            Self::WokenNotPolled | Self::Dormant => STORED,
            Self::MoreWakersThanLeaves => MORE_WAKERS,
            Self::MayHold => {
                "Tasks that take two locks in opposite order wait for each other without end. \
                 Compare the order of the locks in these functions."
            }
            Self::LockWaits => {
                "The owner of the lock does not release it. \
                 Look in these functions for a lock that was taken before these lines, and whose guard is alive there. \
                 These tasks may own locks of each other, taken in opposite order, \
                 or a task stores the guard, or a future that is next in the queue, while it waits."
            }
            Self::CancelledShielded => {
                "A shield delays the cancellation until an event that does not occur. \
                 Look for the code that should send it."
            }
            Self::SlowPolls => {
                "All other tasks of the worker wait during such a poll. \
                 Move the code to `spawn_blocking`, or divide it by `yield_now`."
            }
            Self::StalledWrite => STALLED_WRITE,
            Self::MissingReply => {
                "The code with the sender has neither sent the message nor dropped the sender. \
                 Look there for a path without an answer, and set a time limit for the reply here."
            }
            Self::SilentPeer => {
                "The other program has not answered. \
                 Look there for the request, and add a time limit here."
            }
            Self::FarTimer => {
                "The duration may be wrong: look at its unit, such as milliseconds taken for seconds. \
                 An overflow, a missing upper limit or a value from a peer are other causes."
            }
            Self::Growing => GROWING,
            Self::ManyAtOnePlace => {
                "Look at the code that should notify these tasks, and whether it notifies all of them. \
                 If the number grows, tasks are spawned faster than the awaited event occurs."
            }
        }
    }
}

impl Finding {
    /// Returns the meaning of this finding, and the code to look at next.
    ///
    /// It is that of its [kind](FindingKind::advice), or a more exact one if more is known.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        self.advice
    }

    /// Returns `true` if the advice of a finding in a list is shown: it is the last one of its kind
    /// in a row.
    pub(in crate::runtime::dump) fn ends_row(findings: &[Self], index: usize) -> bool {
        let next = findings.get(index + 1);
        next.is_none_or(|next| next.advice != findings[index].advice)
    }
}
