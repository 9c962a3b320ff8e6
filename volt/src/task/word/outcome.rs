//! What the transitions of the state word answer: what the caller now has, or owes.
//!
//! All of them are `#[must_use]`: an answer that is dropped is a task that hangs or leaks.

use super::snapshot::Lifecycle;

/// What a wake owes, `State::transition_to_scheduled`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ToScheduled {
    /// The task was idle and now is scheduled: the caller has its life reference and queues it.
    Submit,
    /// The task will run anyway, or never again.
    Nothing,
}

/// What a wake owes that gives its reference up, `State::transition_to_scheduled_by_value`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ToScheduledByValue {
    /// As [`ToScheduled::Submit`]; the waker's own reference is still there, to be given back
    /// when the task is queued.
    Submit,
    /// The reference is gone.
    Nothing,
    /// The reference is gone and was the last: the caller frees the task.
    Dealloc,
}

/// What a queue entry is worth, `State::transition_to_running`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ToRunning {
    /// The caller has the task and its life reference, and polls it.
    Run,
    /// The caller has the task and its life reference; it drops the future and completes it.
    Cancelled,
    /// Somebody else ran the task. The entry's reference is gone.
    Stale,
    /// As `Stale`, and the reference was the last: the caller frees the task.
    StaleLast,
}

/// What follows a poll that returned `Pending`, `State::transition_to_idle`, or a look,
/// `State::release_claim`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ToIdle {
    /// The task waits for a wake. The caller has nothing any more and touches nothing.
    Idle,
    /// After a look only: the task is scheduled, by the entry that it never left. The caller has
    /// nothing any more and touches nothing.
    Queued,
    /// The task was woken meanwhile and now is scheduled: the caller keeps the life reference
    /// and queues it.
    Reschedule,
    /// Still running: the caller drops the future and completes the task.
    Cancelled,
    /// Still running: nobody can wake the task any more. The caller says so, by
    /// `State::mark_orphaned`, reports it, and calls again.
    Orphaned,
}

/// What is left to do for a task that is done, `State::transition_to_complete`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ToComplete {
    /// Complete, and the life reference is gone: the caller touches nothing.
    Done,
    /// Complete, and the caller still has the life reference: it takes the waker out of its
    /// slot, wakes it and gives the reference back.
    WakeJoiner,
    /// Still running: nobody will read the output. The caller drops it, then calls
    /// `State::transition_to_complete_unread`.
    Unread,
}

/// Who frees a task that is done, `State::transition_to_complete_unread`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ToCompleteUnread {
    /// Complete, and the life reference is gone: the caller touches nothing.
    Done,
    /// Nobody else is left: the caller frees the task.
    Dealloc,
}

/// What a claim found, `State::claim`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum Claim {
    /// The caller has the task, which was idle, and its life reference.
    WasIdle,
    /// The caller has the task, which was scheduled, and its life reference, which it shares with
    /// the entry in the queue until that is popped.
    WasScheduled,
    /// Somebody else has the task, or it is complete.
    Refused(Lifecycle),
}

/// What a claim that wants to poll found, `State::claim_to_run`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ClaimToRun {
    /// As [`ToRunning::Run`]; the entry that is still in a queue is stale.
    Run,
    /// As [`ToRunning::Cancelled`]; the entry that is still in a queue is stale.
    Cancelled,
    /// The task is not scheduled.
    Refused(Lifecycle),
}

/// What a canceller owes, `State::cancel`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum Cancel {
    /// The task was idle and now is scheduled: the caller has its life reference and queues it.
    Submit,
    /// The flag is set; whoever has the task next, or its last shield, acts on it.
    Flagged,
    /// The task was cancelled before, or is complete.
    Nothing,
}

/// What a shield owes when it goes, `State::remove_shield`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum RemoveShield {
    /// The shield and its reference are gone.
    Done,
    /// It was the last on a cancelled task that waited, which now is scheduled: the caller has
    /// its life reference and queues it, then gives the shield's own reference back.
    Submit,
    /// The shield and its reference are gone, the reference was the last: the caller frees the
    /// task.
    Dealloc,
}

/// Who has the join waker's slot, `State::set_join_waker` and `State::unset_join_waker`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum JoinSlot {
    /// The bit has changed as asked.
    Changed,
    /// The task is complete: the bit stays as it was.
    Complete,
}

/// What a handle owes when it goes, `State::drop_join_handle`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum DropHandle {
    /// The handle's reference is gone.
    Done,
    /// Nothing but the join waker's bit has changed: the caller has the slot, drops what is in
    /// it, and calls again.
    Waker,
    /// Complete: the caller drops the output and gives its reference back.
    Output,
}

/// What a waker owes that leaves, `State::drop_waker`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum DropWaker {
    /// The reference is gone.
    Done,
    /// The reference is gone and was the last: the caller frees the task.
    Dealloc,
    /// The reference is gone, and nobody can wake the task any more. The caller has the task,
    /// which was idle, and its life reference: it says so, by `State::mark_orphaned`, reports
    /// it, and gives the task back by `State::release_claim`.
    Orphaned,
}
