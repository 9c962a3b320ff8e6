//! `Finding`: a probable cause of a hang or delay.

use std::fmt;
use std::time::Duration;

use crate::runtime::dump::place::Place;
use crate::task::TaskId;

/// The number of tasks whose ids a finding lists.
pub(super) const MAX_TASKS: usize = 20;

/// A probable cause of a hang or delay, in a [`Dump`](crate::runtime::Dump).
///
/// [`Display`](fmt::Display) writes it as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// The number of tasks.
    pub count: usize,
    /// The ids of these tasks, but at most 20 unless the finding is a cycle. The first one is the
    /// task that the text names first. The tasks of a cycle are in the order of their waits. The
    /// other tasks are in descending order of their times.
    pub tasks: Vec<TaskId>,
    /// The innermost place of the tasks, if they wait at the same place.
    pub place: Option<Place>,
    /// The [key](crate::runtime::TaskGroup::key) of the group of the tasks, if they are in one
    /// group.
    pub group: Option<u64>,
    /// The longest time that one of the tasks has been in its state.
    pub longest: Duration,
    /// Blocking jobs that were running before a worker was blocked, and still run. One of them may
    /// hold a lock that the worker waits for. At most three. For a long job, only this job.
    pub jobs: Vec<TaskId>,
    pub(super) text: String,
    pub(super) advice: &'static str,
}

impl Finding {
    /// Returns the finding with this task as the first one of the list.
    pub(super) fn led_by(mut self, first: Option<TaskId>) -> Self {
        let listed = first.and_then(|first| self.tasks.iter().position(|id| *id == first));
        match (listed, first) {
            (Some(index), _) => self.tasks[..=index].rotate_right(1),
            (None, Some(first)) => {
                self.tasks.insert(0, first);
                self.tasks.truncate(MAX_TASKS);
            }
            (None, None) => {}
        }
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The kind of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// Tasks wait for each other: for their ends, or for locks that report their holders.
    Cycle,
    /// Tasks wait, and no waker for them exists.
    Orphan,
    /// A worker has been in one poll for long.
    BlockedWorker,
    /// A worker has been in one poll for long, and the poll passes awaits whose futures are ready
    /// at once. Found in runtimes with
    /// [`inspect_backtraces`](crate::runtime::Builder::inspect_backtraces).
    NeverGivesWay,
    /// A blocking job has run for long, and tasks wait for it.
    LongJob,
    /// Tasks have been queued for long.
    Starved,
    /// Tasks wait for timers that ended long ago. No thread fires them, because the workers that
    /// wait in the driver are in polls.
    OverdueTimers,
    /// A future was woken, and its task has waited for another one for long.
    WokenNotPolled,
    /// Tasks have polled a future before, and wait for another one that does not poll it. Timers
    /// and handles of tasks are left out, because both make progress without a poll.
    Dormant,
    /// Tasks own the guard of a lock while they wait for a lock of the same crate. They may wait
    /// for each other, or for themselves. Guards are known in machines of the explicit layout.
    MayHold,
    /// All tasks that wait for locks of one crate have waited for long. So no lock of the crate was
    /// passed on meanwhile.
    LockWaits,
    /// The cancellation of tasks was requested, and shields have delayed it for long.
    CancelledShielded,
    /// Tasks have more wakers than futures that wait, while a task waits for long for a lock, a
    /// permit or a notification. The other wakers may be those of futures that are not polled.
    MoreWakersThanLeaves,
    /// Tasks have waited for long for the message of a oneshot channel, while most other tasks that
    /// were spawned at the same place make progress.
    MissingReply,
    /// Tasks have waited for long to read from a socket, while most other tasks that were spawned
    /// at the same place make progress.
    SilentPeer,
    /// Tasks have waited for long to write to connected sockets, whose peers do not read.
    StalledWrite,
    /// Tasks wait for nothing but a timer that is far away.
    FarTimer,
    /// Many tasks wait at one place.
    ManyAtOnePlace,
    /// The number of tasks at one place has grown between two dumps, and none of them has ended.
    /// Only the inspection server has this finding, because it remembers the earlier numbers.
    Growing,
    /// Several polls of tasks that were spawned at one place took long, in the last minute. The
    /// other tasks of the worker waited meanwhile.
    SlowPolls,
}

impl FindingKind {
    /// Returns the name of the kind in the JSON of a dump, such as `blocked_worker`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cycle => "cycle",
            Self::Orphan => "orphan",
            Self::BlockedWorker => "blocked_worker",
            Self::NeverGivesWay => "never_gives_way",
            Self::LongJob => "long_job",
            Self::Starved => "starved",
            Self::OverdueTimers => "overdue_timers",
            Self::Dormant => "dormant",
            Self::WokenNotPolled => "woken_not_polled",
            Self::MayHold => "may_hold",
            Self::LockWaits => "lock_waits",
            Self::CancelledShielded => "cancelled_shielded",
            Self::MoreWakersThanLeaves => "more_wakers_than_leaves",
            Self::MissingReply => "missing_reply",
            Self::SilentPeer => "silent_peer",
            Self::StalledWrite => "stalled_write",
            Self::FarTimer => "far_timer",
            Self::ManyAtOnePlace => "many_at_one_place",
            Self::Growing => "growing",
            Self::SlowPolls => "slow_polls",
        }
    }

    /// Returns the severity of findings of this kind.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::Cycle
            | Self::Orphan
            | Self::BlockedWorker
            | Self::NeverGivesWay
            | Self::Starved
            | Self::OverdueTimers
            | Self::WokenNotPolled => Severity::Error,
            Self::Dormant
            | Self::MayHold
            | Self::LockWaits
            | Self::LongJob
            | Self::CancelledShielded
            | Self::MoreWakersThanLeaves
            | Self::MissingReply
            | Self::SilentPeer
            | Self::StalledWrite
            | Self::FarTimer
            | Self::ManyAtOnePlace
            | Self::Growing
            | Self::SlowPolls => Severity::Warning,
        }
    }
}

/// The severity of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A fault, or a program that is as designed.
    Warning,
    /// A fault in almost all programs.
    Error,
}

impl Severity {
    /// Returns the name of the severity in the JSON of a dump: `error` or `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Limits above which a time or a number is a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindingLimits {
    /// The time after which a poll, a wait in a queue, a delayed cancellation, an overdue timer
    /// or a future that is not polled is a finding. The default is one second.
    pub long: Duration,
    /// The number of tasks at one place that is a finding. The default is 1,000.
    pub many: usize,
    /// The time until a timer that is a finding. The default is one day.
    pub far: Duration,
    /// The duration of a poll that is slow. Two slow polls are a finding. The default is 100
    /// milliseconds, and polls of less than 50 milliseconds are not recorded.
    pub slow: Duration,
}

impl Default for FindingLimits {
    fn default() -> Self {
        Self {
            long: Duration::from_secs(1),
            many: 1_000,
            far: Duration::from_secs(24 * 60 * 60),
            slow: Duration::from_millis(100),
        }
    }
}
