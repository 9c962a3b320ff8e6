//! The rule about workers that have been in one poll for long.

use std::fmt::Write;

use super::thread_text::described;
use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::{Found, Rules, titled};
use crate::runtime::dump::place::{function_of, period};
use crate::task::{Lifecycle, TaskInfo};

/// The number of blocking jobs that the finding of a blocked worker lists.
const MAX_JOBS: usize = 3;

impl<'a> Rules<'a> {
    /// Finds workers that have been in one poll for long.
    pub(in crate::runtime::dump::findings) fn blocked_workers(&self) -> Vec<Finding> {
        let tasks = self.dump.tasks.iter();
        let blocked = tasks.filter(|task| self.blocks_worker(task));
        blocked.map(|task| self.blocked_worker(task)).collect()
    }

    /// Returns `true` if the task has been polled for long by a worker, or inside of a join.
    fn blocks_worker(&self, task: &TaskInfo) -> bool {
        // A task in `block_in_place` has left its worker, and no thread is known for it.
        let has_thread = task.worker.is_some() || task.thread.is_some();
        let is_polled = task.lifecycle == Lifecycle::Running && has_thread;
        // If the task joins another one, that one is the cause.
        let is_cause = is_polled && task.waits_for.is_empty() && !task.block_on;
        is_cause && !task.blocking && self.is_long(task)
    }

    fn blocked_worker(&self, task: &'a TaskInfo) -> Finding {
        let (polls, time) = (task.polls, self.dump.time_since(task));
        let on = task.thread.as_deref().unwrap_or("a thread without a name");
        let thread = self.thread_of(task);
        let mut text = format!(
            "blocked worker: {} has been in poll {polls} of {} for {} on {on}, spawned at {}",
            titled(task),
            function_of(task),
            period(time),
            task.location,
        );
        if let Some(thread) = thread {
            _ = write!(text, "; {}", described(thread));
        }
        if self.dump.runtime.has_backtraces != Some(true) {
            text.push_str(&self.siblings_of(task));
        }
        let mut jobs = self.jobs_longer_than(time);
        jobs.truncate(MAX_JOBS);
        for job in &jobs {
            _ = write!(text, "; before this poll began, {}", self.job_text(job));
        }
        if self.dump.runtime.has_backtraces == Some(false) {
            text.push_str("; with `VOLT_INSPECT_BACKTRACES=1`, its functions are shown");
        }
        let found = Found {
            tasks: vec![task],
            group: None,
        };
        Finding {
            jobs: jobs.iter().map(|job| job.id).collect(),
            ..self.finding(FindingKind::BlockedWorker, found, text)
        }
    }

    /// Returns the place at which other tasks of the same function wait, if it is only one.
    ///
    /// The state of a task that is polled cannot be read, so its last await is not known.
    fn siblings_of(&self, task: &TaskInfo) -> String {
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let siblings = tasks.filter(|(other, _)| {
            other.type_name == task.type_name && other.lifecycle != Lifecycle::Running
        });
        let groups: Vec<_> = siblings.map(|(_, places)| places.group).collect();
        let Some(&group) = groups.first() else {
            return String::new();
        };
        let group_index = group as usize;
        let is_one = groups.iter().all(|other| *other == group);
        if !is_one || self.grouping.trace(group_index).is_empty() {
            return String::new();
        }
        let place = self.grouping.place(group_index);
        let siblings = match groups.len() {
            1 => "another task of this function waits".to_owned(),
            more => format!("{more} other tasks of this function wait"),
        };
        format!("; {siblings} at {place}, so look at the code after it")
    }
}
