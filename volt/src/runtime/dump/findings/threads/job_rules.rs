//! The rule about blocking jobs that do not end.

use std::fmt::Write;
use std::time::Duration;

use super::thread_text::described;
use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::{Found, Rules, titled};
use crate::runtime::dump::place::{function_of, period};
use crate::task::{Lifecycle, TaskInfo};

/// The number of tasks that the text about a job names.
const MAX_NAMED: usize = 3;

/// A job is long if it runs for so many times the time of a long poll. Jobs are meant to take time.
const FACTOR: u32 = 5;

impl<'a> Rules<'a> {
    /// Finds blocking jobs that have run for long while tasks wait for them.
    pub(in crate::runtime::dump::findings) fn long_jobs(&self) -> Vec<Finding> {
        let jobs = self.dump.tasks.iter();
        let long = jobs.filter(|job| {
            is_running_job(job) && self.dump.time_since(job) >= self.limits.long * FACTOR
        });
        long.filter_map(|job| self.long_job(job)).collect()
    }

    fn long_job(&self, job: &'a TaskInfo) -> Option<Finding> {
        let tasks = self.dump.tasks.iter();
        let waiting: Vec<_> = tasks
            .filter(|task| task.waits_for.contains(&job.id))
            .collect();
        if waiting.is_empty() {
            return None;
        }
        let mut text = format!("long job: {}", self.job_text(job));
        for (nth, task) in waiting.iter().take(MAX_NAMED).enumerate() {
            let before = if nth == 0 { "; " } else { " and " };
            _ = write!(text, "{before}{}", titled(task));
        }
        match waiting.len().saturating_sub(MAX_NAMED) {
            0 => {}
            more => _ = write!(text, " and {more} more"),
        }
        text.push_str(if waiting.len() == 1 {
            " waits for it"
        } else {
            " wait for it"
        });
        let found = Found {
            tasks: waiting,
            group: None,
        };
        Some(Finding {
            jobs: vec![job.id],
            longest: self.dump.time_since(job),
            ..self.finding(FindingKind::LongJob, found, text)
        })
    }

    /// Returns the time that a job has run, its function, and the activity of its thread.
    pub(super) fn job_text(&self, job: &TaskInfo) -> String {
        let (time, location) = (period(self.dump.time_since(job)), job.location);
        let mut text = format!(
            "{} has run {} for {time}, spawned at {location}",
            titled(job),
            function_of(job)
        );
        if let Some(thread) = self.thread_of(job) {
            _ = write!(text, "; the job's {}", described(thread));
        }
        text
    }

    /// Returns running jobs that have run for at least this time, the longest first.
    pub(super) fn jobs_longer_than(&self, time: Duration) -> Vec<&'a TaskInfo> {
        let jobs = self.dump.tasks.iter().filter(|job| is_running_job(job));
        let mut longer: Vec<_> = jobs
            .filter(|job| self.dump.time_since(job) >= time)
            .collect();
        longer.sort_by_key(|job| std::cmp::Reverse(self.dump.time_since(job)));
        longer
    }
}

fn is_running_job(task: &TaskInfo) -> bool {
    task.blocking && task.lifecycle == Lifecycle::Running
}
