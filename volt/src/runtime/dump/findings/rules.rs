//! The rules by which a dump finds probable causes, one function for each kind.

use std::cmp::Reverse;
use std::collections::BTreeMap;
#[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
use std::fmt::Write;
use std::time::Duration;

use super::finding::{Finding, FindingKind, FindingLimits, MAX_TASKS};
use super::merged_findings::merge_findings;
use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::groups::Grouping;
use crate::runtime::dump::place::{counted, function_of, kind, period, with_spawns};
use crate::task::{Lifecycle, TaskId, TaskInfo};

/// The number of tasks that a text names because they wait for the end of another one.
const MAX_JOINERS: usize = 3;

/// The number of functions that a text names because they have dropped a waker.
#[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
const MAX_DROPPING: usize = 3;

impl Dump {
    /// Returns probable causes of a hang or delay, the most severe first.
    ///
    /// The limits are those of [`FindingLimits::default`].
    ///
    /// # Examples
    ///
    /// ```
    /// use volt::runtime::FindingKind;
    ///
    /// let runtime = volt::Runtime::new()?;
    /// runtime.spawn(std::future::pending::<()>()).detach();
    /// let finding = loop {
    ///     if let Some(finding) = runtime.dump().findings().pop() {
    ///         break finding;
    ///     }
    ///     std::thread::yield_now();
    /// };
    /// assert_eq!(finding.kind, FindingKind::Orphan);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        self.findings_with(&FindingLimits::default())
    }

    /// Returns probable causes of a hang or delay, by these limits.
    #[must_use]
    pub fn findings_with(&self, limits: &FindingLimits) -> Vec<Finding> {
        findings(self, &Grouping::of(self), limits)
    }
}

/// Returns the findings of a dump, the most severe first.
pub(in crate::runtime::dump) fn findings(
    dump: &Dump,
    grouping: &Grouping,
    limits: &FindingLimits,
) -> Vec<Finding> {
    let rules = Rules {
        dump,
        grouping,
        limits,
    };
    let mut findings = rules.cycles();
    findings.extend(rules.blocked_workers());
    findings.extend(rules.long_jobs());
    findings.extend(rules.starved());
    findings.extend(rules.overdue_timers());
    findings.extend(rules.orphans());
    findings.extend(rules.dormant());
    findings.extend(rules.woken_not_polled());
    findings.extend(rules.may_hold());
    findings.extend(rules.lock_waits());
    findings.extend(rules.cancelled_shielded());
    findings.extend(rules.more_wakers_than_leaves());
    findings.extend(rules.slow_polls());
    findings.extend(rules.missing_replies());
    findings.extend(rules.silent_peers());
    findings.extend(rules.stalled_writes());
    findings.extend(rules.far_timers());
    findings.extend(rules.many_at_one_place());
    #[cfg(feature = "inspect")]
    findings.extend(rules.growing());
    merge_findings(&mut findings);
    for finding in &mut findings {
        finding.text = with_spawns(&finding.text);
    }
    findings.sort_by_key(|finding| Reverse(finding.kind.severity()));
    findings
}

/// The input of the rules.
pub(super) struct Rules<'a> {
    pub(super) dump: &'a Dump,
    pub(super) grouping: &'a Grouping,
    pub(super) limits: &'a FindingLimits,
}

/// Tasks with the same finding.
pub(super) struct Found<'a> {
    pub(super) tasks: Vec<&'a TaskInfo>,
    pub(super) group: Option<usize>,
}

impl Found<'_> {
    /// Returns the number of tasks, and the title of this one.
    pub(super) fn counted_with(&self, example: &TaskInfo) -> String {
        let example = titled(example);
        match self.tasks.len() {
            1 => example,
            more => format!("{}, such as {example},", counted(more)),
        }
    }

    /// Returns the form of a verb for the number of tasks.
    pub(super) fn verb(&self, singular: &'static str, plural: &'static str) -> &'static str {
        if self.tasks.len() == 1 {
            singular
        } else {
            plural
        }
    }
}

impl<'a> Rules<'a> {
    fn starved(&self) -> Option<Finding> {
        let is_starved =
            |task: &&TaskInfo| task.lifecycle == Lifecycle::Scheduled && self.is_long(task);
        let tasks: Vec<_> = self.dump.tasks.iter().filter(is_starved).collect();
        self.longest(&tasks)?;
        let found = Found { tasks, group: None };
        let (count, time) = (counted(found.tasks.len()), self.time_of(&found));
        let text = format!("starved: {count} queued for {time}");
        Some(self.finding(FindingKind::Starved, found, text))
    }

    fn orphans(&self) -> Vec<Finding> {
        let found = self.by_group(|task| task.orphaned);
        let finding = |found: Found<'a>| {
            let (count, place) = (self.counted_with_example(&found), self.place_of(&found));
            let dropped = self.drops_of_wakers(self.longest_of(&found));
            let text = format!("no waker left: {count} at {place}{dropped}");
            self.finding(FindingKind::Orphan, found, text)
        };
        found.into_iter().map(finding).collect()
    }

    /// Returns the functions that have dropped the last waker of an orphan, if they are known.
    #[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
    fn drops_of_wakers(&self, orphan: &TaskInfo) -> String {
        let functions = self.dump.drop_of_last_waker(orphan);
        let mut text = String::new();
        for (nth, function) in functions.iter().take(MAX_DROPPING).enumerate() {
            let before = match nth {
                0 => "; its last waker was dropped or overwritten in",
                _ => ", called by",
            };
            _ = write!(text, "{before} {function}");
        }
        text
    }

    #[cfg(not(all(feature = "inspect", not(any(loom, all(test, shuttle))))))]
    #[expect(clippy::unused_self, reason = "the other configuration uses it")]
    fn drops_of_wakers(&self, _: &TaskInfo) -> String {
        String::new()
    }

    fn cancelled_shielded(&self) -> Vec<Finding> {
        let is_delayed = |task: &TaskInfo| task.cancelled && task.shield > 0 && self.is_long(task);
        let finding = |found: Found<'a>| {
            let (count, place) = (self.counted_with_example(&found), self.place_of(&found));
            let time = self.time_of(&found);
            let mut text = format!("cancelled but shielded: {count} for {time} at {place}");
            text.push_str(&self.joiners_of(&found));
            text.push_str(&self.channel_ends_of(&found));
            self.finding(FindingKind::CancelledShielded, found, text)
        };
        self.by_group(is_delayed).into_iter().map(finding).collect()
    }

    /// Returns the tasks that wait for the ends of the tasks of a finding, with their places.
    fn joiners_of(&self, found: &Found<'_>) -> String {
        let is_found = |id: &TaskId| found.tasks.iter().any(|task| task.id == *id);
        let tasks = self.dump.tasks.iter().zip(&self.grouping.tasks);
        let joiners = tasks.filter(|(task, _)| task.waits_for.iter().any(is_found));
        let joiners = joiners.take(MAX_JOINERS).map(|(task, places)| {
            let place = self.grouping.place_text(places.group as usize);
            let end = if found.tasks.len() == 1 {
                "its end"
            } else {
                "an end"
            };
            format!("; {} waits for {end} at {place}", titled(task))
        });
        joiners.collect()
    }

    /// Returns a finding about all tasks of a group.
    pub(super) fn group_finding(&self, kind: FindingKind, index: usize, text: String) -> Finding {
        let group = &self.grouping.groups[index];
        Finding {
            kind,
            count: group.count,
            tasks: group.sample.iter().map(|(_, id)| *id).collect(),
            place: Some(self.grouping.place(index)),
            group: Some(group.key),
            longest: group.longest(),
            jobs: Vec::new(),
            text,
            advice: kind.advice(),
        }
    }

    /// Returns the tasks that match, by their groups.
    pub(super) fn by_group(&self, matches: impl Fn(&TaskInfo) -> bool) -> Vec<Found<'a>> {
        let mut by_group = BTreeMap::<u32, Vec<&TaskInfo>>::new();
        for (task, places) in self.dump.tasks.iter().zip(&self.grouping.tasks) {
            if matches(task) {
                by_group.entry(places.group).or_default().push(task);
            }
        }
        let found = by_group.into_iter().map(|(group, tasks)| Found {
            tasks,
            group: Some(group as usize),
        });
        found.collect()
    }

    pub(super) fn finding(&self, kind: FindingKind, found: Found<'a>, text: String) -> Finding {
        let Found { mut tasks, group } = found;
        tasks.sort_by_key(|task| Reverse(self.dump.time_since(task)));
        let ids = tasks.iter().take(MAX_TASKS).map(|task| task.id);
        Finding {
            kind,
            count: tasks.len(),
            tasks: ids.collect(),
            place: group.map(|group| self.grouping.place(group)),
            group: group.map(|group| self.grouping.groups[group].key),
            longest: self.longest(&tasks).unwrap_or_default(),
            jobs: Vec::new(),
            text,
            advice: kind.advice(),
        }
    }

    /// Returns the task of a finding that has been in its state for the longest time. It is the
    /// first one of [`Finding::tasks`], so a reader of the text and of the list sees the same task.
    pub(super) fn longest_of(&self, found: &Found<'a>) -> &'a TaskInfo {
        let tasks = found.tasks.iter().copied();
        // Of equal times, the first one: the sort of the list is stable.
        let longest = tasks.min_by_key(|task| Reverse(self.dump.time_since(task)));
        longest.expect("a finding has tasks")
    }

    /// Returns the time that the tasks of a finding have been in their states: `2.9 s`, or
    /// `up to 2.9 s` for several tasks.
    pub(super) fn time_of(&self, found: &Found<'a>) -> String {
        let time = period(self.dump.time_since(self.longest_of(found)));
        match found.tasks.len() {
            1 => time,
            _ => format!("up to {time}"),
        }
    }

    /// Returns the number of tasks of a finding, and the title of the one with the longest time.
    pub(super) fn counted_with_example(&self, found: &Found<'a>) -> String {
        found.counted_with(self.longest_of(found))
    }

    pub(super) fn place_of(&self, found: &Found<'_>) -> String {
        let group = found.group.expect("the tasks are in one group");
        let place = self.place_with_await(group);
        if !self.grouping.trace(group).is_empty() {
            return place;
        }
        // Only the place of the spawn is known, so the type names the code.
        format!("{place}, which runs {}", function_of(found.tasks[0]))
    }

    pub(super) fn is_long(&self, task: &TaskInfo) -> bool {
        self.dump.time_since(task) >= self.limits.long
    }

    fn longest(&self, tasks: &[&TaskInfo]) -> Option<Duration> {
        tasks.iter().map(|task| self.dump.time_since(task)).max()
    }
}

/// Returns the id of a task, and its name if it has one.
pub(super) fn titled(task: &TaskInfo) -> String {
    let kind = kind(task);
    match &task.name {
        Some(name) => format!("{kind} {} {name:?}", task.id),
        None => format!("{kind} {}", task.id),
    }
}
