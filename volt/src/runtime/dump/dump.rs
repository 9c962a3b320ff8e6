//! `Dump`: a list of the live tasks of a runtime.

use std::num::NonZeroUsize;
use std::time::{Duration, SystemTime};

use super::blocked::BlockedThread;
use super::thread_activity::PollingThread;
use super::tree::{Forest, TreeNode};
use super::waits::{SocketWait, wait_cycles};
use crate::scheduler::{SlowPoll, Stats};
use crate::task::{self, TaskId, TaskInfo};

/// A list of the live tasks of a runtime; see [`Handle::dump`](crate::Handle::dump).
///
/// Each task is inspected on its own, so the list is not an atomic snapshot. It contains blocking
/// jobs too, and the futures of the threads that wait in `block_on`.
///
/// The text of a dump begins with a line for each [`Finding`](super::Finding). If there are ten
/// tasks or more, the largest groups of tasks that wait at the same place follow, and the numbers
/// of tasks by the place of their spawn. Then there is a paragraph for each task. If the future of
/// the task is a machine, a line shows its state, and a further line the state of each machine that
/// it awaits:
///
/// ```text
/// task 17.1 "reader": idle, polled 3 times, last 25 ms ago, spawned at src/main.rs:10:9
///    Session at await read_frame, src/session.rs:52:30
///    in ReadFrame at await poll_fn, src/frame.rs:31:14
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Dump {
    /// The tasks and jobs, and then the futures of `block_on`.
    pub(super) tasks: Vec<TaskInfo>,
    pub(super) forest: Forest,
    pub(super) blocked: Vec<BlockedThread>,
    /// The threads of workers that are in long polls.
    pub(super) threads: Vec<PollingThread>,
    /// The waits for sockets, in the order of their tasks.
    pub(super) socket_waits: Vec<SocketWait>,
    /// The number of all timers of the runtime.
    pub(super) timers: usize,
    /// The times until timers that are at least an hour away, in the order of their tasks.
    pub(super) far_timers: Vec<(TaskId, Duration)>,
    /// The times since the deadlines of timers that are due, in the order of their tasks.
    pub(super) overdue_timers: Vec<(TaskId, Duration)>,
    /// For each task with wake sets, in the order of the ids: the children that were woken and not
    /// polled since.
    pub(super) woken_children: Vec<(TaskId, u32)>,
    /// The slow polls of the last minute, the oldest first.
    pub(super) slow_polls: Vec<SlowPoll>,
    /// The functions of long polls of the last minute, if the server takes samples.
    #[cfg(feature = "inspect")]
    pub(super) poll_samples: Vec<PollSample>,
    /// The groups that have grown since an earlier dump.
    #[cfg(feature = "inspect")]
    pub(super) growth: Vec<Growth>,
    pub(super) runtime: RuntimeState,
    /// The account of the inspection polls, if the dump is one by poll.
    #[cfg(feature = "inspect")]
    pub(super) by_poll: Option<super::poll_report::PollReport>,
    /// The end of the dump, as a timestamp of tasks.
    pub(super) now: u32,
    /// The end of the dump, by the clock of the system.
    pub(super) taken: SystemTime,
    /// The duration of the dump.
    pub(super) took: Duration,
    /// The reason for which a part is missing.
    pub(super) note: Option<&'static str>,
}

/// The runtime of a dump.
#[derive(Debug, Clone)]
pub(super) struct RuntimeState {
    pub(super) id: NonZeroUsize,
    pub(super) name: Option<String>,
    pub(super) stats: Stats,
    /// `true` if dumps contain backtraces. `None` if this build or system has none.
    pub(super) has_backtraces: Option<bool>,
}

/// The growth of a group since an earlier dump.
#[cfg(feature = "inspect")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growth {
    /// The key of the group.
    pub(super) key: u64,
    /// The number of tasks in the earlier dump.
    pub(super) before: usize,
    /// The time since the earlier dump.
    pub(super) elapsed: Duration,
}

/// The functions that were active in a long poll.
#[cfg(feature = "inspect")]
#[derive(Clone, Debug)]
pub(super) struct PollSample {
    pub(super) task: TaskId,
    /// The return addresses, the innermost first.
    pub(super) addresses: Box<[usize]>,
}

impl Dump {
    /// Returns the tasks, in no particular order.
    #[must_use]
    pub fn tasks(&self) -> &[TaskInfo] {
        &self.tasks[..self.task_count()]
    }

    /// Returns the futures of `block_on` that have been pending, in the order of
    /// [`blocked`](Self::blocked).
    ///
    /// Such a future is not a task, but it is described in the same way, and has a
    /// [tree](Self::tree). The [groups](Self::groups) and the [findings](Self::findings) contain it
    /// too. Its own thread inspects it, between two polls. The tree is empty if the thread is in a
    /// poll. If the runtime is a [`LocalRuntime`](crate::runtime::LocalRuntime), the tree is empty
    /// too if the dump is taken on its thread, or while its thread runs a task for long.
    #[must_use]
    pub fn block_on_futures(&self) -> &[TaskInfo] {
        &self.tasks[self.task_count()..]
    }

    /// Returns `true` if there is no task, job or future of `block_on`.
    #[cfg(feature = "inspect")]
    pub(in crate::runtime) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Returns the number of tasks and jobs.
    pub(super) fn task_count(&self) -> usize {
        let futures = self.tasks.iter().rev().take_while(|task| task.block_on);
        self.tasks.len() - futures.count()
    }

    /// Returns the futures in a task of this dump, in depth-first order.
    ///
    /// The tree is empty if the task was being polled, or if the type of its future does not
    /// implement [`Inspect`](volt_inspect::Inspect).
    #[must_use]
    pub fn tree(&self, task: &TaskInfo) -> Vec<TreeNode> {
        self.forest.tree(task)
    }

    /// Returns the waits for sockets, also of tasks whose futures cannot be inspected.
    ///
    /// They are those of volt's own sockets, and are in the order of their tasks. A wait through a
    /// combinator with wakers of its own is left out.
    #[must_use]
    pub fn socket_waits(&self) -> &[SocketWait] {
        &self.socket_waits
    }

    /// Returns the waits of a task for sockets.
    pub(super) fn socket_waits_of(&self, task: &TaskInfo) -> &[SocketWait] {
        let waits = &self.socket_waits;
        let begin = waits.partition_point(|wait| wait.task < task.id);
        let end = waits.partition_point(|wait| wait.task <= task.id);
        &waits[begin..end]
    }

    /// Returns the time until the next timer that is at least an hour away, for a task whose
    /// futures cannot be inspected.
    pub(super) fn far_timer_of(&self, task: &TaskInfo) -> Option<Duration> {
        if !self.forest.nodes(task).is_empty() && self.forest.timers(task).next().is_some() {
            return None;
        }
        let begin = self.far_timers.partition_point(|(id, _)| *id < task.id);
        let (id, left) = self.far_timers.get(begin)?;
        (*id == task.id).then_some(*left)
    }

    /// Returns the number of children in wake sets of a task that were woken and not polled since.
    pub(super) fn woken_children_of(&self, task: &TaskInfo) -> u32 {
        let found = self
            .woken_children
            .binary_search_by_key(&task.id, |(id, _)| *id);
        found.map_or(0, |index| self.woken_children[index].1)
    }

    /// Removes the tasks for which `keep` returns `false`.
    ///
    /// The groups, the findings and the cycles of the dump are then those of the tasks that remain.
    pub fn retain(&mut self, mut keep: impl FnMut(&TaskInfo) -> bool) {
        self.tasks.retain(&mut keep);
        self.slow_polls.retain(|slow| keep(slow.task()));
    }

    /// Returns the time that a task of this dump has been in its state.
    ///
    /// For a queued task, it is the time in the queue. For a running task, it is the time since the
    /// poll began; for an idle task, the time since the last poll began. Workers read the clock
    /// once every few polls, and the time counts from the read before. The time is zero if it is
    /// unknown: the task was spawned or woken by a thread that is not a worker, and not polled
    /// since. The result is modulo 49.7 days.
    #[must_use]
    pub fn time_since(&self, task: &TaskInfo) -> Duration {
        self.until_now(task.since)
    }

    /// Returns the threads that wait in `block_on`.
    ///
    /// Their futures are not tasks. So a program that hangs may have no tasks, only such threads.
    /// [`block_on_futures`](Self::block_on_futures) describes the futures.
    #[must_use]
    pub fn blocked(&self) -> &[BlockedThread] {
        &self.blocked
    }

    /// Returns the threads of the workers that are in one poll for at least 20 milliseconds, with
    /// their activity in the system.
    #[must_use]
    pub fn polling_threads(&self) -> &[PollingThread] {
        &self.threads
    }

    /// Returns the polls of the last minute that took at least 50 milliseconds, the oldest first.
    ///
    /// At most 64 are stored. A worker times each of its polls only for a while after a slow one,
    /// so the first slow poll and rare slow polls may be missing.
    /// [`Builder::on_slow_poll`](crate::Builder::on_slow_poll) misses none.
    #[must_use]
    pub fn slow_polls(&self) -> &[SlowPoll] {
        &self.slow_polls
    }

    /// Returns the time that a thread of this dump has waited in `block_on`.
    #[must_use]
    pub fn blocked_for(&self, thread: &BlockedThread) -> Duration {
        self.until_now(thread.since)
    }

    fn until_now(&self, since: u32) -> Duration {
        let since = if since == 0 { self.now } else { since };
        task::time_between(since, self.now)
    }

    /// Returns the statistics of the runtime at the end of the dump.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        &self.runtime.stats
    }

    /// Returns the time of the dump, by the clock of the system.
    #[must_use]
    pub fn taken(&self) -> SystemTime {
        self.taken
    }

    /// Returns the duration of the dump: the time for which the calling thread collected tasks.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// Returns the cycles of tasks that wait for each other, by awaits, by blocking joins, and
    /// by locks that report their holders.
    ///
    /// The tasks of a cycle wait forever, unless one of them is cancelled or also waits for another
    /// event. If two cycles share a task, at least one of them is returned.
    #[must_use]
    pub fn wait_cycles(&self) -> Vec<Vec<TaskId>> {
        let waiting = self.tasks.iter().filter(|task| !task.waits_for.is_empty());
        let waits = waiting.map(|task| (task.id, &task.waits_for[..]));
        wait_cycles(&waits.collect())
    }
}
