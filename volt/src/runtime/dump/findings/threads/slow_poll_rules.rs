//! The rule about polls that took long.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::panic::Location;

#[cfg(feature = "inspect")]
use super::thread_text::called_by;
use crate::machine::State;
use crate::runtime::dump::findings::finding::{Finding, FindingKind, MAX_TASKS};
use crate::runtime::dump::findings::rules::{Rules, titled};
use crate::runtime::dump::place::{Place, function_of, period};
use crate::scheduler::{MAX_SLOW_POLLS, SlowPoll};
use crate::task::TaskId;

/// Slow polls of tasks that were spawned at one place.
struct SlowGroup<'a> {
    polls: usize,
    /// The tasks, each once.
    tasks: Vec<TaskId>,
    slowest: &'a SlowPoll,
    /// The slowest poll of each pair of awaits, and the number of these polls.
    codes: Vec<(usize, &'a SlowPoll)>,
}

impl<'a> SlowGroup<'a> {
    fn new(slow: &'a SlowPoll) -> Self {
        let mut group = Self {
            polls: 0,
            tasks: Vec::new(),
            slowest: slow,
            codes: Vec::new(),
        };
        group.add(slow);
        group
    }

    fn add(&mut self, slow: &'a SlowPoll) {
        self.polls += 1;
        if !self.tasks.contains(&slow.id()) {
            self.tasks.push(slow.id());
        }
        if slow.duration() > self.slowest.duration() {
            self.slowest = slow;
        }
        let (is_same, is_known) = (
            |(_, other): &&mut (usize, &SlowPoll)| awaits_around(other) == awaits_around(slow),
            awaits_around(slow) != [None; 2],
        );
        match self.codes.iter_mut().find(is_same) {
            Some((polls, _)) => *polls += 1,
            None if is_known => self.codes.push((1, slow)),
            None => {}
        }
    }

    /// Returns a slow poll of the code that was slow most often. Polls with both awaits are
    /// preferred.
    fn example(&self) -> &'a SlowPoll {
        let rank = |(polls, slow): &&(usize, &SlowPoll)| {
            let is_complete = awaits_around(slow).iter().all(Option::is_some);
            (is_complete, *polls)
        };
        let most = self.codes.iter().max_by_key(rank);
        most.map_or(self.slowest, |(_, slow)| slow)
    }
}

/// Returns `true` for a poll of the runtime's own task that polls tasks for an inspection.
fn is_of_inspection(slow: &SlowPoll) -> bool {
    slow.task().type_name.ends_with("::InspectionJob")
}

impl Rules<'_> {
    /// Finds places of spawns whose tasks had slow polls.
    pub(in crate::runtime::dump::findings) fn slow_polls(&self) -> Vec<Finding> {
        let polls = self.dump.slow_polls.iter();
        let mut groups = BTreeMap::new();
        let is_slow =
            |slow: &&SlowPoll| slow.duration() >= self.limits.slow && !is_of_inspection(slow);
        for slow in polls.filter(is_slow) {
            let place = slow.task().location;
            // The file is compared by its text, because several objects can have the location.
            let spawn = (place.file(), place.line(), place.column());
            match groups.entry(spawn) {
                Entry::Vacant(vacant) => _ = vacant.insert(SlowGroup::new(slow)),
                Entry::Occupied(mut group) => group.get_mut().add(slow),
            }
        }
        let repeated = groups.into_values().filter(|group| group.polls > 1);
        // A full log has lost older polls.
        let is_cut = self.dump.slow_polls.len() >= MAX_SLOW_POLLS;
        let least = if is_cut { "at least " } else { "" };
        let finding = |group: SlowGroup<'_>| {
            let polls = self.polls_at(group.slowest.task().location);
            let functions = self.sampled_functions(&group);
            slow_finding(&group, least, &polls, &functions)
        };
        repeated.map(finding).collect()
    }

    /// Returns the functions in which most samples of these polls were, or the setting that enables
    /// samples.
    #[cfg(feature = "inspect")]
    fn sampled_functions(&self, group: &SlowGroup<'_>) -> String {
        if self.dump.runtime.has_backtraces == Some(false) {
            return "; with `VOLT_INSPECT_BACKTRACES=1`, the functions of the polls are shown"
                .to_owned();
        }
        let samples = self.dump.poll_samples.iter();
        let of_group = samples.filter(|sample| group.tasks.contains(&sample.task));
        let mut counts: Vec<(usize, String)> = Vec::new();
        for sample in of_group {
            let functions = called_by(&sample.places(group.slowest.task()));
            match counts.iter_mut().find(|(_, other)| *other == functions) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, functions)),
            }
        }
        let all: usize = counts.iter().map(|(count, _)| count).sum();
        match counts.into_iter().max_by_key(|(count, _)| *count) {
            Some((count, functions)) if !functions.is_empty() => {
                format!(
                    "; {count} of {all} sampled polls {}{functions}",
                    if count == 1 { "was" } else { "were" }
                )
            }
            _ => String::new(),
        }
    }

    #[cfg(not(feature = "inspect"))]
    #[expect(clippy::unused_self, reason = "the other configuration uses it")]
    fn sampled_functions(&self, _: &SlowGroup<'_>) -> String {
        String::new()
    }

    /// Returns the text about all polls of the live tasks that were spawned at a place.
    fn polls_at(&self, spawned: &Location<'_>) -> String {
        let tasks = self.dump.tasks.iter();
        let of_place = tasks.filter(|task| task.location == spawned);
        match of_place.map(|task| u64::from(task.polls)).sum() {
            0 => String::new(),
            polls => format!(", of {} in all", rounded(polls)),
        }
    }
}

/// Returns a number of polls with three digits that are known: `about 16,600 polls`.
fn rounded(polls: u64) -> String {
    if polls < 1_000 {
        return format!("{polls} polls");
    }
    let unit = 10_u64.pow(polls.ilog10() - 2);
    let digits = ((polls + unit / 2) / unit * unit).to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("about {text} polls")
}

fn slow_finding(group: &SlowGroup<'_>, least: &str, all_polls: &str, functions: &str) -> Finding {
    let (slowest, (before, _)) = (group.slowest, innermost_states(group.example()));
    let finding = Finding {
        kind: FindingKind::SlowPolls,
        count: group.tasks.len(),
        tasks: group.tasks.iter().copied().take(MAX_TASKS).collect(),
        place: before.map(Place::of_state),
        group: None,
        longest: slowest.duration(),
        jobs: Vec::new(),
        text: text(group, least, all_polls) + functions,
        advice: FindingKind::SlowPolls.advice(),
    };
    finding.led_by(Some(slowest.id()))
}

fn text(group: &SlowGroup<'_>, least: &str, all_polls: &str) -> String {
    let (slowest, polls) = (group.slowest, group.polls);
    let tasks = match group.tasks.len() {
        1 => titled(slowest.task()),
        more => format!("{more} tasks, such as {},", titled(slowest.task())),
    };
    let longest = period(slowest.duration());
    let spawned = slowest.task().location;
    let code = match innermost_states(group.example()) {
        (Some(before), Some(after)) => format!(
            "the slow code is between {} and {}",
            Place::of_state(before),
            Place::of_state(after)
        ),
        (Some(before), None) => format!("the slow code follows {}", Place::of_state(before)),
        (None, Some(after)) => format!("the slow code is before {}", Place::of_state(after)),
        (None, None) => format!("the slow code is in {}", function_of(slowest.task())),
    };
    format!(
        "slow polls: {least}{polls} slow polls of {tasks} took up to {longest} in the last minute\
         {all_polls}, spawned at {spawned}; {code}"
    )
}

/// Returns the innermost states before and after a poll.
fn innermost_states(slow: &SlowPoll) -> (Option<&'static State>, Option<&'static State>) {
    let (before, after) = (slow.before().last(), slow.after().last());
    (before.copied(), after.copied())
}

/// Returns the lines and columns of the awaits around a poll.
fn awaits_around(slow: &SlowPoll) -> [Option<(&'static str, u32, u32)>; 2] {
    let place = |state: &'static State| (state.file, state.line, state.column);
    let (before, after) = innermost_states(slow);
    [before.map(place), after.map(place)]
}
