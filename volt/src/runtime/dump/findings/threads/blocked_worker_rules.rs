//! The rule about workers that have been in one poll for long.

use std::cmp::Reverse;
use std::fmt::Write;

use super::thread_text::{StdWait, advice_of, await_loop, code_text, may_wait_for_lock, std_wait};
use crate::runtime::dump::findings::advice::IN_FUTEX;
use crate::runtime::dump::findings::finding::{Finding, FindingKind};
use crate::runtime::dump::findings::rules::{Found, Rules, titled};
use crate::runtime::dump::place::function_of;
use crate::task::{Lifecycle, TaskInfo};

/// The number of blocking jobs that the finding of a blocked worker lists.
const MAX_JOBS: usize = 3;

impl<'a> Rules<'a> {
    /// Finds workers that have been in one poll for long.
    ///
    /// A poll that passes awaits of ready futures is a finding of another kind than one that blocks
    /// or computes. Polls of one function that are in the same code are one finding.
    pub(in crate::runtime::dump::findings) fn blocked_workers(&self) -> Vec<Finding> {
        let tasks = self.dump.tasks.iter();
        let mut blocked: Vec<_> = tasks.filter(|task| self.blocks_worker(task)).collect();
        blocked.sort_by_key(|task| Reverse(self.dump.time_since(task)));
        let mut causes: Vec<(String, Vec<&TaskInfo>)> = Vec::new();
        for task in blocked {
            let cause = self.cause_of(task);
            match causes.iter_mut().find(|(other, _)| *other == cause) {
                Some((_, tasks)) => tasks.push(task),
                None => causes.push((cause, vec![task])),
            }
        }
        let causes = causes.into_iter();
        causes
            .map(|(cause, tasks)| self.blocked_worker(&cause, tasks))
            .collect()
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

    fn blocked_worker(&self, cause: &str, tasks: Vec<&'a TaskInfo>) -> Finding {
        let found = Found { tasks, group: None };
        let longest = self.longest_of(&found);
        let on = longest.thread.as_deref();
        let on = on.unwrap_or("a thread without a name");
        let others = match found.tasks.len() {
            1 => String::new(),
            more => format!(" and {} more", more - 1),
        };
        let is_await_loop = self.thread_of(longest).and_then(await_loop).is_some();
        let (kind, title) = if is_await_loop {
            (FindingKind::NeverGivesWay, "never gives way")
        } else {
            (FindingKind::BlockedWorker, "blocked worker")
        };
        let mut text = format!(
            "{title}: {} {} been in poll {} of {} for {} on {on}{others}, spawned at {}",
            self.counted_with_example(&found),
            found.verb("has", "have"),
            longest.polls,
            function_of(longest),
            self.time_of(&found),
            longest.location,
        );
        if let Some(thread) = self.thread_of(longest) {
            let worker = thread.thread_id.map_or("", |_| "the worker's ");
            _ = write!(text, "; {worker}{thread}");
        }
        text.push_str(cause);
        text.push_str(&self.shared_lock_of(&found));
        let jobs = self.jobs_before(longest);
        for job in &jobs {
            _ = write!(text, "; before this poll began, {}", self.job_text(job));
        }
        text.push_str(&self.lock_owner_of(&found, &jobs));
        if self.dump.runtime.has_backtraces == Some(false) {
            text.push_str(
                "; with `VOLT_INSPECT_BACKTRACES=1`, the functions of the poll are shown",
            );
        }
        let advice = match self.thread_of(longest) {
            Some(thread) if !is_await_loop => advice_of(thread),
            _ => kind.advice(),
        };
        Finding {
            advice,
            jobs: jobs.iter().map(|job| job.id).collect(),
            ..self.finding(kind, found, text)
        }
    }

    /// Returns the text about the code in which a poll is.
    fn cause_of(&self, task: &TaskInfo) -> String {
        let mut cause = self.thread_of(task).map_or_else(String::new, code_text);
        if self.dump.runtime.has_backtraces != Some(true) {
            cause.push_str(&self.siblings_of(task));
        }
        cause
    }

    /// Returns running jobs that began before the poll of a task.
    fn jobs_before(&self, task: &TaskInfo) -> Vec<&'a TaskInfo> {
        let mut jobs = self.jobs_longer_than(self.dump.time_since(task));
        jobs.truncate(MAX_JOBS);
        jobs
    }

    /// Returns the text about the lock for which several polls wait. A thread that waits for a
    /// channel or a join has an address of its own.
    fn shared_lock_of(&self, found: &Found<'a>) -> String {
        let (first, others) = found.tasks.split_first().expect("a finding has tasks");
        let futex = self.futex_of(first);
        let is_shared = futex.is_some() && others.iter().all(|task| self.futex_of(task) == futex);
        if others.is_empty() || !is_shared {
            return String::new();
        }
        format!(
            "; these {} polls wait for one `Mutex`, `RwLock` or `Condvar`, because the addresses \
             of their waits are equal",
            found.tasks.len(),
        )
    }

    /// Returns the address at which the thread of a task waits in the system call futex.
    fn futex_of(&self, task: &TaskInfo) -> Option<usize> {
        self.thread_of(task)?.futex
    }

    /// Returns the text about a job that may own the lock for which polls wait.
    fn lock_owner_of(&self, found: &Found<'a>, jobs: &[&TaskInfo]) -> String {
        let longest = self.longest_of(found);
        let may_wait = |task: &TaskInfo| self.thread_of(task).is_some_and(may_wait_for_lock);
        if jobs.is_empty() || !may_wait(longest) {
            return String::new();
        }
        // A job that waits for the same lock does not own it.
        let awaits_it = |job: &TaskInfo| {
            let futex = self.futex_of(longest);
            futex.is_some() && self.futex_of(job) == futex
        };
        let mut in_futex = jobs.iter().filter(|job| {
            let thread = self.thread_of(job);
            thread.is_some_and(|thread| advice_of(thread) == IN_FUTEX) && !awaits_it(job)
        });
        match in_futex.next() {
            Some(job) => format!(
                "; {} is blocked in the system call futex itself, so it may own the lock that {} \
                 for: look in its code at {} for a guard that is alive while it waits",
                titled(job),
                found.verb("this poll waits", "these polls wait"),
                job.location,
            ),
            None if self.waits_for_lock(longest) => "; such a job may hold the lock".to_owned(),
            None => String::new(),
        }
    }

    /// Returns `true` if the thread of a task waits for a lock of the standard library.
    fn waits_for_lock(&self, task: &TaskInfo) -> bool {
        let wait = self.thread_of(task).and_then(std_wait);
        wait.is_some_and(StdWait::is_lock)
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
