//! The results of the transitions: the references and the duties that the caller now has.
//!
//! All of them are `#[must_use]`. A task whose result is ignored hangs or leaks.

use super::snapshot::{ClaimedFrom, Lifecycle};

/// The result of a wake by reference, `StateWord::wake_by_ref`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum WakeByRef {
    /// The task was idle and is now scheduled. The caller has its life reference and queues it.
    Submit,
    /// The task is polled later anyway, or is complete.
    Nothing,
}

/// The result of a wake by value, `StateWord::wake_by_value`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum WakeByValue {
    /// The task was idle and is now scheduled. The caller has its life reference and queues it,
    /// then drops the reference of the waker.
    Submit,
    /// The reference is dropped.
    Nothing,
    /// The reference is dropped and was the last one. The caller frees the task.
    Dealloc,
}

/// The result of a popped queue entry, `StateWord::start_poll`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum StartPoll {
    /// The caller has the task and its life reference, and polls the future.
    Run,
    /// The caller has the task and its life reference. It drops the future and completes the task.
    Cancelled,
    /// Another thread ran the task. The reference of the entry is dropped.
    Stale,
    /// Another thread ran the task, and the reference of the entry was the last one. The caller
    /// frees the task.
    StaleLast,
}

/// The result of a poll that returned `Pending`, `StateWord::suspend`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum Suspend {
    /// The task waits for a wake. The caller has no reference left.
    Idle,
    /// The task was woken during the poll and is now scheduled. The caller keeps the life
    /// reference and queues the task.
    Reschedule,
    /// The task is still running. The caller drops the future and completes the task.
    Cancelled,
    /// The task is still running, and has no waker left. The caller marks it by
    /// `StateWord::mark_orphaned`, reports it, and repeats the transition.
    Orphaned,
}

/// The result of the end of a claim, `StateWord::release_claim`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ReleaseClaim {
    /// The task waits for a wake. The caller has no reference left.
    Idle,
    /// The task is scheduled by the entry that is still in the queue. The caller has no reference
    /// left.
    Queued,
    /// The task is now scheduled. The caller keeps the life reference and queues the task.
    Reschedule,
    /// The task is still running, and has no waker left. The caller marks it by
    /// `StateWord::mark_orphaned`, reports it, and repeats the transition.
    Orphaned,
}

/// The result of a completion, `StateWord::complete`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum Completion {
    /// The task is complete, and the life reference is dropped. The caller has no reference left.
    Done,
    /// The task is complete, and the caller still has the life reference. It takes the waker of the
    /// joiner out of its slot, drops the reference and calls the waker.
    WakeJoiner,
    /// The task is still running, and has no handle. The caller drops the output, then calls
    /// `StateWord::complete_unread`.
    Unread,
}

/// The result of a completion without a handle, `StateWord::complete_unread`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum UnreadCompletion {
    /// The task is complete, and the life reference is dropped. The caller has no reference left.
    Done,
    /// The life reference is the last one. The caller frees the task.
    Dealloc,
}

/// The result of a claim for inspection, `StateWord::claim`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum Claim {
    /// The caller has the task and its life reference. If the task was scheduled, caller and queue
    /// entry share that reference until the entry is popped.
    Claimed(ClaimedFrom),
    /// Another thread has the task, or the task is complete.
    Refused(Lifecycle),
}

/// The result of a claim for a poll, `StateWord::claim_to_run`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum ClaimToRun {
    /// The caller has the task and its life reference, and polls the future. The entry in the queue
    /// is stale.
    Run,
    /// The caller has the task and its life reference. It drops the future and completes the task.
    /// The entry in the queue is stale.
    Cancelled,
    /// The task is not scheduled.
    Refused(Lifecycle),
}

/// The result of a cancellation, `StateWord::cancel`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum Cancel {
    /// The task was idle and is now scheduled. The caller has its life reference and queues it.
    Submit,
    /// The flag is set. The next owner of the task or its last shield acts on it.
    Flagged,
    /// The task was cancelled before, or is complete.
    Nothing,
}

/// The result of the end of a shield, `StateWord::remove_shield`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum RemoveShield {
    /// The shield and its reference are removed.
    Done,
    /// The shield was the last one of a cancelled idle task, which is now scheduled. The caller has
    /// its life reference and queues it, then drops the reference of the shield.
    Submit,
    /// The shield and its reference are removed, and the reference was the last one. The caller
    /// frees the task.
    Dealloc,
}

/// The result of a change of the join waker's bit, `StateWord::set_join_waker` and
/// `StateWord::unset_join_waker`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum JoinSlot {
    /// The bit was changed.
    Changed,
    /// The task is complete, and the bit is unchanged.
    Complete,
}

/// The result of the drop of a handle, `StateWord::drop_join_handle`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum DropHandle {
    /// The reference of the handle is dropped.
    Done,
    /// Only the bit of the join waker was cleared. The caller owns the slot, drops the waker in it,
    /// and repeats the transition.
    Waker,
    /// The task is complete. The caller drops the output, then its reference.
    Output,
}

/// The result of the drop of a waker, `StateWord::drop_waker`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) enum DropWaker {
    /// The reference is dropped.
    Done,
    /// The reference is dropped and was the last one. The caller frees the task.
    Dealloc,
    /// The reference is dropped, and the idle task has no waker left. The caller has the task and
    /// its life reference. It marks the task by `StateWord::mark_orphaned`, reports it, and
    /// releases it by `StateWord::release_claim`.
    Orphaned,
}
