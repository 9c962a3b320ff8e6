//! The job that makes a worker poll tasks for an inspection.

use std::pin::Pin;
use std::sync::mpsc::Sender;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use std::vec;

use crate::task::{self, InlinePollGuard, InspectionPoll, OrphanPolls, TaskId, TaskRef};

use super::batched_arc::BatchedArc;
use super::scheduler_handle::SchedulerHandle;

/// The time after which the job yields to the tasks of its worker.
const SLICE: Duration = Duration::from_millis(1);

/// The result of an inspection poll.
#[derive(Debug)]
pub(crate) struct PolledTask {
    pub(crate) id: TaskId,
    pub(crate) poll: InspectionPoll,
    /// The duration of the poll.
    pub(crate) took: Duration,
}

/// A report of the job.
#[derive(Debug)]
pub(crate) enum JobReport {
    /// A worker is about to poll the task with this id.
    Begins(TaskId),
    Polled(PolledTask),
}

/// Polls tasks on a worker, and yields to other tasks in between.
#[derive(Debug)]
pub(super) struct InspectionJob {
    scheduler: SchedulerHandle,
    tasks: vec::IntoIter<TaskRef>,
    orphans: OrphanPolls,
    reports: Sender<JobReport>,
}

impl SchedulerHandle {
    /// Makes a worker poll these tasks once, until the receiver is dropped. The sender is dropped
    /// at the end.
    ///
    /// The job is a task of the scheduler, but it is not registered, so no dump or count has it.
    pub(crate) fn poll_to_inspect(
        &self,
        tasks: Vec<TaskRef>,
        orphans: OrphanPolls,
        reports: Sender<JobReport>,
    ) {
        let job = InspectionJob::new(self.clone(), tasks, orphans, reports);
        let location = std::panic::Location::caller();
        let (runnable, handle) = task::new_task(job, BatchedArc::new(&self.0), location);
        handle.detach();
        self.0.inject(runnable);
    }
}

impl InspectionJob {
    pub(super) fn new(
        scheduler: SchedulerHandle,
        tasks: Vec<TaskRef>,
        orphans: OrphanPolls,
        reports: Sender<JobReport>,
    ) -> Self {
        Self {
            scheduler,
            tasks: tasks.into_iter(),
            orphans,
            reports,
        }
    }

    /// Polls the next task. Returns `None` if the job is over.
    fn poll_next(&mut self) -> Option<()> {
        if self.scheduler.is_stopping() {
            return None;
        }
        // A task of a local scheduler is polled on its own thread only.
        self.scheduler.runtime_id_here()?;
        let task = self.tasks.next()?;
        let id = task.id();
        self.reports.send(JobReport::Begins(id)).ok()?;
        let begin = Instant::now();
        let poll = {
            let _published = InlinePollGuard::begin(id);
            task.poll_to_inspect(self.orphans)
        };
        let took = begin.elapsed();
        let polled = PolledTask { id, poll, took };
        self.reports.send(JobReport::Polled(polled)).ok()
    }
}

impl Future for InspectionJob {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let end = Instant::now() + SLICE;
        while Instant::now() < end {
            if self.poll_next().is_none() {
                return Poll::Ready(());
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
