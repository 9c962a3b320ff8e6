//! The tasks that wait for long while most others of their spawn make progress, and the rule about
//! replies that do not arrive.

use std::collections::BTreeMap;
use std::time::Duration;

use super::finding::{Finding, FindingKind};
use super::rules::{Found, Rules};
use crate::runtime::dump::place::{counted, period};
use crate::task::{Lifecycle, TaskInfo};

/// A finding contains at most one of so many tasks that were spawned at a place.
const SHARE: usize = 4;

/// Tasks that were spawned at one place, each with its group.
pub(super) type SpawnedTasks<'a> = Vec<(u32, &'a TaskInfo)>;

/// The tasks of one spawn that have waited for long, and the others.
pub(super) struct Exceptions<'a> {
    pub(super) long: SpawnedTasks<'a>,
    others: usize,
    /// The longest time for which one of the others has been in its state.
    others_for: Duration,
}

impl Exceptions<'_> {
    /// Returns the clause about the other tasks of the spawn.
    pub(super) fn others_text(&self) -> String {
        let (others, verb) = match self.others {
            1 => ("the other task".to_owned(), "has"),
            more => (format!("the other {}", counted(more)), "have"),
        };
        let spawned = self.long[0].1.location;
        let time = period(self.others_for);
        format!("{others} spawned at {spawned} {verb} waited for at most {time}")
    }
}

impl<'a> Rules<'a> {
    /// Returns the tasks by the places of their spawns.
    pub(super) fn by_spawn(&self) -> Vec<SpawnedTasks<'a>> {
        let mut by_spawn = BTreeMap::<u32, SpawnedTasks<'a>>::new();
        for (task, places) in self.dump.tasks.iter().zip(&self.grouping.tasks) {
            let tasks = by_spawn.entry(places.spawned).or_default();
            tasks.push((places.group, task));
        }
        by_spawn.into_values().collect()
    }

    /// Returns the tasks of a spawn that have waited for long, if they are exceptions.
    pub(super) fn exceptions(&self, tasks: &SpawnedTasks<'a>) -> Option<Exceptions<'a>> {
        let time = |(_, task): &(u32, &TaskInfo)| self.dump.time_since(task);
        let (long, others): (Vec<_>, Vec<_>) =
            tasks.iter().partition(|(_, task)| self.is_long(task));
        // Tasks that began to wait together become long at slightly different times.
        let half = self.limits.long / 2;
        let slow = tasks.iter().filter(|task| time(task) >= half).count();
        if long.is_empty() || slow * SHARE > tasks.len() {
            return None;
        }
        Some(Exceptions {
            long,
            others: others.len(),
            others_for: others.iter().map(time).max().unwrap_or_default(),
        })
    }

    /// Returns the tasks of a finding, with their group if it is one.
    pub(super) fn found_of(tasks: &SpawnedTasks<'a>) -> Found<'a> {
        let group = tasks[0].0;
        let is_one = tasks.iter().all(|(other, _)| *other == group);
        Found {
            tasks: tasks.iter().map(|(_, task)| *task).collect(),
            group: is_one.then_some(group as usize),
        }
    }

    /// Finds tasks that have waited for long for the message of a oneshot channel, while most other
    /// tasks that were spawned at the same place make progress.
    ///
    /// Such a channel has one message, mostly a reply. Receivers of other channels may have no work
    /// for long.
    pub(super) fn missing_replies(&self) -> Vec<Finding> {
        let places = self.grouping.places.places().iter();
        let is_reply: Vec<_> = places.map(|place| is_reply(place.name)).collect();
        if !is_reply.contains(&true) {
            return Vec::new();
        }
        let awaits_reply = |(_, task): &(u32, &TaskInfo)| {
            let mut awaits = false;
            self.dump.forest.waiting_paths(task, |path| {
                awaits |= path.iter().any(|place| is_reply[*place as usize]);
            });
            awaits && task.lifecycle == Lifecycle::Idle
        };
        let found = self.by_spawn().into_iter().filter_map(|tasks| {
            let mut exceptions = self.exceptions(&tasks)?;
            exceptions.long.retain(awaits_reply);
            (!exceptions.long.is_empty()).then(|| self.missing_reply(&exceptions))
        });
        found.collect()
    }

    fn missing_reply(&self, exceptions: &Exceptions<'a>) -> Finding {
        let found = Self::found_of(&exceptions.long);
        let longest = self.longest_of(&found);
        let place = exceptions
            .long
            .iter()
            .find(|(_, task)| task.id == longest.id);
        let place = place.map_or_else(String::new, |(group, _)| {
            self.place_with_await(*group as usize)
        });
        let text = format!(
            "missing reply: {} {} for {} for the message of a oneshot channel, at {place}; {}; the \
             sender was not dropped, because this ends the wait",
            self.counted_with_example(&found),
            found.verb("has waited", "have waited"),
            self.time_of(&found),
            exceptions.others_text(),
        );
        self.finding(FindingKind::MissingReply, found, text)
    }
}

/// Returns `true` for the name of a future that waits for the message of a oneshot channel.
fn is_reply(type_name: &str) -> bool {
    let mut parts = type_name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.any(|part| part == "oneshot")
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, Node};

    use crate::runtime::FindingKind;
    use crate::runtime::dump::Dump;
    use crate::runtime::dump::sample::{dump, only_finding, task};
    use crate::runtime::dump::tree::ValueLimit;
    use crate::task::TaskInfo;

    /// Returns a dump of tasks that have waited for so many milliseconds for a future of this type.
    fn dump_of_waits(leaf: &'static str, ages: &[u32]) -> Dump {
        let mut dump = dump(Vec::new());
        for (slot, age) in (1..).zip(ages) {
            let states = task(slot, 0).position;
            let added = dump.forest.add(ValueLimit::None, |visitor| {
                Inspector::new(visitor).node(&Node::of_state(states[1]), |inspector| {
                    inspector.node(&Node::new(leaf), |_| ());
                });
            });
            dump.tasks.push(TaskInfo {
                tree: added.unwrap().1,
                ..task(slot, *age)
            });
        }
        dump
    }

    #[test]
    fn reply_is_missing_if_others_arrive() {
        let reply = "tokio::sync::oneshot::Receiver<app::Price>";
        let finding = only_finding(&dump_of_waits(reply, &[20, 7_000, 30, 40]));
        assert_eq!(finding.kind, FindingKind::MissingReply);
        assert_eq!(finding.tasks, [task(2, 0).id]);
        let begin = "missing reply: task 2.1 has waited for 7.0 s for the message of a oneshot \
            channel, at ReadFrame at await poll_fn, src/frame.rs:31:14 in \
            tokio::sync::oneshot::Receiver<Price>; the other 3 tasks spawned at ";
        assert!(finding.text.starts_with(begin), "{finding}");
        assert!(
            finding.text.contains(" have waited for at most 40 ms; "),
            "{finding}"
        );
        assert_eq!(dump_of_waits(reply, &[20, 7_000, 6_000, 40]).findings(), []);
        let messages = "tokio::sync::mpsc::bounded::Receiver<u8>::recv";
        assert_eq!(dump_of_waits(messages, &[20, 7_000, 30, 40]).findings(), []);
    }
}
