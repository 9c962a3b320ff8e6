//! `PollRound`: one request to a worker, and its answers.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::frame_tree::TaskTraces;
use super::poll_limits::PollLimits;
use crate::runtime::dump::blocked::{PolledFuture, poll_blocked};
use crate::runtime::dump::poll_report::{PollReport, UnreachedReason, UnreachedTask};
use crate::scheduler::{JobReport, PolledTask, SchedulerHandle};
use crate::task::{InspectionPoll, OrphanPolls, PollRefusal, TaskId, TaskRef};

/// The answers to a request.
#[derive(Debug, Default)]
pub(super) struct PollRound {
    pub(super) report: PollReport,
    pub(super) traces: HashMap<TaskId, TaskTraces>,
    /// A worker has begun.
    is_begun: bool,
}

impl PollRound {
    /// Makes a worker poll the tasks of a scheduler, and waits for the end or for the time limit.
    pub(super) fn run(scheduler: &SchedulerHandle, limits: &PollLimits) -> Self {
        let mut round = Self::default();
        // In a fork, no worker would answer, and the dump has no tasks.
        if scheduler.driver().is_inherited() {
            return round;
        }
        let (tasks, others) = select(scheduler, limits);
        round.add_unreached(&others, UnreachedReason::Limit);
        let mut pending: Vec<_> = ids(&tasks);
        pending.reverse();
        let until = Instant::now() + limits.within;
        round.poll_futures(scheduler, limits, until);
        let (reports, received) = channel();
        let orphans = if limits.orphans {
            OrphanPolls::Inert
        } else {
            OrphanPolls::Refused
        };
        scheduler.poll_to_inspect(tasks, orphans, reports);
        let current = round.receive(&received, until, &mut pending);
        // The job ends when it finds the receiver dropped.
        drop(received);
        if let Some(running) = current {
            round.add_unreached(&[running], UnreachedReason::Running);
        }
        let reason = if round.is_begun {
            UnreachedReason::Time
        } else {
            UnreachedReason::WorkersBlocked
        };
        round.add_unreached(&pending, reason);
        round
    }

    /// Makes the threads in `block_on` poll their futures.
    ///
    /// The report does not count these futures, because they are not tasks.
    fn poll_futures(&mut self, scheduler: &SchedulerHandle, limits: &PollLimits, until: Instant) {
        let is_wanted = |id| limits.only.is_none_or(|only| only == id);
        poll_blocked(scheduler.runtime_id(), is_wanted, until, |id, polled| {
            if let PolledFuture::Pending {
                traces,
                clones,
                polls,
            } = polled
            {
                let traces = TaskTraces {
                    traces,
                    clones,
                    polls,
                };
                self.traces.insert(id, traces);
            }
        });
    }

    /// Receives the answers, and removes each task from `pending`, whose last task is the next one.
    /// Returns the task that was being polled at the time limit.
    fn receive(
        &mut self,
        reports: &Receiver<JobReport>,
        until: Instant,
        pending: &mut Vec<TaskId>,
    ) -> Option<TaskId> {
        let mut current = None;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match reports.recv_timeout(left.max(Duration::from_millis(1))) {
                Ok(JobReport::Begins(id)) => {
                    self.is_begun = true;
                    pending.pop();
                    current = Some(id);
                }
                Ok(JobReport::Polled(task)) => {
                    current = None;
                    self.add(task);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return current,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return current,
            }
        }
    }

    fn add(&mut self, task: PolledTask) {
        self.report.poll_time += task.took;
        let refusal = match task.poll {
            InspectionPoll::Pending {
                traces,
                clones,
                polls,
            } => {
                let traces = TaskTraces {
                    traces,
                    clones,
                    polls,
                };
                self.traces.insert(task.id, traces);
                self.report.polled += 1;
                return;
            }
            InspectionPoll::Ended => {
                self.report.ended.push(task.id);
                return;
            }
            InspectionPoll::Refused(refusal) => refusal,
        };
        let reason = match refusal {
            PollRefusal::Running => UnreachedReason::Running,
            PollRefusal::Queued => UnreachedReason::Queued,
            PollRefusal::Orphaned => UnreachedReason::Orphaned,
            // The dump does not contain the task.
            PollRefusal::Complete => return,
        };
        self.add_unreached(&[task.id], reason);
    }

    pub(super) fn add_unreached(&mut self, ids: &[TaskId], reason: UnreachedReason) {
        let unreached = ids.iter().map(|id| UnreachedTask { id: *id, reason });
        self.report.unreached.extend(unreached);
    }
}

fn ids(tasks: &[TaskRef]) -> Vec<TaskId> {
    tasks.iter().map(TaskRef::id).collect()
}

/// Returns the tasks to poll, and the ids of those beyond the limit.
fn select(scheduler: &SchedulerHandle, limits: &PollLimits) -> (Vec<TaskRef>, Vec<TaskId>) {
    let mut ranked = Vec::new();
    let mut counts = HashMap::new();
    scheduler.registry().for_each(|task| {
        if limits.only.is_none_or(|id| id == task.id()) {
            // The rank among the tasks that were spawned at the same place.
            let count = counts.entry(task.spawned_at()).or_insert(0_usize);
            ranked.push((*count, task.clone()));
            *count += 1;
        }
    });
    if ranked.len() > limits.tasks {
        ranked.sort_by_key(|(rank, _)| *rank);
    }
    let mut tasks: Vec<_> = ranked.into_iter().map(|(_, task)| task).collect();
    let others = tasks.split_off(limits.tasks.min(tasks.len()));
    (tasks, ids(&others))
}
