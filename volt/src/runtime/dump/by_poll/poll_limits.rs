//! `PollLimits`: the options of a dump by poll.

use std::time::Duration;

use crate::task::TaskId;

/// The limits of [`Handle::dump_by_poll`](crate::Handle::dump_by_poll).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use volt::runtime::PollLimits;
///
/// let mut limits = PollLimits::default();
/// limits.within = Duration::from_millis(200);
/// limits.tasks = 100;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PollLimits {
    /// The time after which no further task is polled. The default is one second.
    ///
    /// A poll that has begun is not interrupted.
    pub within: Duration,
    /// The maximum number of tasks that are polled. The default is 10,000.
    ///
    /// If there are more, some tasks of each place of a spawn are polled.
    pub tasks: usize,
    /// The only task that is polled, or `None` for all tasks. The default is `None`.
    pub only: Option<TaskId>,
    /// `true` if orphans are polled too: tasks that wait without a waker. The default is `false`.
    ///
    /// An orphan is polled with a waker that wakes nothing, so it stays an orphan. A future that
    /// has room for one waker, and for which several tasks wait, loses the waker of another task in
    /// such a poll. Then that task becomes an orphan too.
    pub orphans: bool,
}

impl Default for PollLimits {
    fn default() -> Self {
        Self {
            within: Duration::from_secs(1),
            tasks: 10_000,
            only: None,
            orphans: false,
        }
    }
}
