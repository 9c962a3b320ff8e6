//! `UnreachedTask`: a task that an inspection did not poll, and the reason.

use crate::task::TaskId;

/// A task that an inspection did not poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnreachedTask {
    /// The id of the task.
    pub id: TaskId,
    /// The reason.
    pub reason: UnreachedReason,
}

/// The reason why an inspection did not poll a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UnreachedReason {
    /// A thread was polling the task.
    Running,
    /// The task was in a queue, so a worker will poll it.
    Queued,
    /// The task has no waker left.
    Orphaned,
    /// No worker was free within the time limit.
    WorkersBlocked,
    /// The time limit has passed before.
    Time,
    /// More tasks than the limit were alive.
    Limit,
    /// The task was polled, and again by a worker before the end of the dump.
    PolledSince,
}

impl UnreachedReason {
    /// Returns the name of the reason in the JSON of a dump, such as `workers_blocked`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Queued => "queued",
            Self::Orphaned => "orphaned",
            Self::WorkersBlocked => "workers_blocked",
            Self::Time => "time",
            Self::Limit => "limit",
            Self::PolledSince => "polled_since",
        }
    }

    /// Returns the reason as part of a sentence.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Running => "being polled by a thread",
            Self::Queued => "about to be polled by a worker",
            Self::Orphaned => "without a waker",
            Self::WorkersBlocked => "no worker was free",
            Self::Time => "the time limit was reached",
            Self::Limit => "above the limit of tasks",
            Self::PolledSince => "polled by a worker meanwhile",
        }
    }
}
