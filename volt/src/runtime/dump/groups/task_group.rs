//! `TaskGroup`: the public form of a group.

use std::time::Duration;

use super::grouping::Grouping;
use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::place::Place;
use crate::task::TaskId;

/// Tasks of a dump that wait at the same place; see [`Dump::groups`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskGroup {
    /// A hash of the places. It is equal for equal places, in all dumps of a program.
    pub key: u64,
    /// The places from the future of the task to the innermost future that it waits for. Empty if
    /// they are unknown: the task is being polled, or its future cannot be inspected.
    pub trace: Vec<Place>,
    /// The place of the spawn, if the trace is empty.
    pub spawned: Option<Place>,
    /// The place of the spawn, if all tasks of the group were spawned at one place.
    pub spawned_at: Option<Place>,
    /// The number of tasks.
    pub count: usize,
    /// The number of idle tasks.
    pub idle: usize,
    /// The number of queued tasks.
    pub queued: usize,
    /// The number of tasks that are being polled.
    pub running: usize,
    /// The longest time for which a task has been in its state; see [`Dump::time_since`].
    pub longest: Duration,
    /// The shortest such time.
    pub shortest: Duration,
    /// The ids of up to five tasks. The first one has been in its state for the longest time.
    pub sample: Vec<TaskId>,
}

impl TaskGroup {
    /// Returns the innermost place in a file, or the place of the spawn if there is none.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        let mut from_innermost = self.trace.iter().rev();
        let in_file = from_innermost.find(|place| !place.file.is_empty());
        in_file.or(self.trace.last()).copied().or(self.spawned)
    }

    /// Returns the innermost future if its place in a file is unknown, such as a timer or a lock.
    #[must_use]
    pub fn leaf(&self) -> Option<Place> {
        self.trace
            .last()
            .copied()
            .filter(|place| place.file.is_empty())
    }
}

impl Dump {
    /// Returns the groups of tasks that wait at the same place, the largest first.
    ///
    /// Two tasks are in one group if the places of their futures are equal, from the outermost to
    /// the innermost. If a future waits for several, the first of them is followed. Tasks whose
    /// futures cannot be inspected are grouped by the place of their spawn.
    #[must_use]
    pub fn groups(&self) -> Vec<TaskGroup> {
        let grouping = Grouping::of(self);
        let groups = 0..grouping.groups.len();
        groups.map(|index| grouping.to_group(index)).collect()
    }

    /// Removes the tasks that are not in the group with this [`key`](TaskGroup::key).
    pub fn retain_group(&mut self, key: u64) {
        let grouping = Grouping::of(self);
        let mut places = grouping.tasks.iter();
        self.tasks.retain(|_| {
            let group = places.next().expect("each task has places").group;
            grouping.groups[group as usize].key == key
        });
    }
}

impl Grouping {
    fn to_group(&self, index: usize) -> TaskGroup {
        let entry = &self.groups[index];
        let trace = self.trace(index).iter();
        let trace: Vec<_> = trace.map(|place| self.places.get(*place)).collect();
        let [idle, queued, running] = entry.by_state;
        TaskGroup {
            key: entry.key,
            spawned: trace.is_empty().then(|| self.places.get(entry.spawned)),
            spawned_at: entry.spawned_at().map(|place| self.places.get(place)),
            trace,
            count: entry.count,
            idle,
            queued,
            running,
            longest: entry.longest(),
            shortest: entry.shortest,
            sample: entry.sample.iter().map(|(_, id)| *id).collect(),
        }
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use crate::runtime::dump::sample::{dump, task};
    use crate::task::{Lifecycle, TaskInfo};
    use std::panic::Location;
    use std::time::Duration;

    fn without_machine(slot: u64, age: u32) -> TaskInfo {
        TaskInfo {
            position: [].into(),
            ..task(slot, age)
        }
    }

    #[test]
    fn tasks_at_equal_places_form_one_group() {
        let queued = TaskInfo {
            lifecycle: Lifecycle::Scheduled,
            ..task(2, 900)
        };
        let outer = TaskInfo {
            position: task(3, 0).position[..1].into(),
            ..task(3, 50)
        };
        let dump = dump(vec![outer, task(1, 30), queued, task(4, 700)]);
        let groups = dump.groups();
        let counts = groups.iter().map(|group| (group.trace.len(), group.count));
        assert_eq!(counts.collect::<Vec<_>>(), [(2, 3), (1, 1)]);
        let group = &groups[0];
        assert_eq!((group.idle, group.queued, group.running), (2, 1, 0));
        assert_eq!(group.longest, Duration::from_millis(900));
        assert_eq!(group.shortest, Duration::from_millis(30));
        let ids: Vec<_> = group.sample.iter().map(ToString::to_string).collect();
        assert_eq!(ids, ["2.1", "4.1", "1.1"]);
        let place = group.place().unwrap().to_string();
        assert_eq!(place, "ReadFrame at await poll_fn, src/frame.rs:31:14");
    }

    #[test]
    fn tasks_without_machines_are_grouped_by_spawn() {
        let elsewhere = TaskInfo {
            location: Location::caller(),
            ..without_machine(3, 10)
        };
        let line = elsewhere.location.line();
        let groups = dump(vec![
            elsewhere,
            without_machine(1, 10),
            without_machine(2, 10),
        ])
        .groups();
        assert_eq!((groups[0].count, groups[1].count), (2, 1));
        assert!(groups.iter().all(|group| group.trace.is_empty()));
        assert_eq!(groups[1].spawned.unwrap().line, line);
    }

    #[test]
    fn group_of_one_spawn_has_its_place() {
        let elsewhere = TaskInfo {
            location: Location::caller(),
            ..task(3, 10)
        };
        let spawned_at = |tasks| dump(tasks).groups()[0].spawned_at;
        let place = spawned_at(vec![task(1, 10), task(2, 10)]).unwrap();
        assert_eq!(place.line, task(1, 10).location.line());
        assert_eq!(spawned_at(vec![task(1, 10), elsewhere]), None);
    }

    #[test]
    fn group_keeps_its_key_in_other_dumps() {
        let before = dump(vec![task(1, 10), without_machine(2, 10)]).groups();
        let after = dump(vec![
            without_machine(3, 10),
            without_machine(4, 10),
            task(5, 10),
        ]);
        let groups = after.groups();
        assert_eq!(
            (before[0].key, before[1].key),
            (groups[1].key, groups[0].key)
        );
        assert_ne!(before[0].key, before[1].key);
    }

    #[test]
    fn only_tasks_of_the_group_are_retained() {
        let mut dump = dump(vec![
            without_machine(1, 10),
            task(2, 10),
            without_machine(3, 10),
        ]);
        let key = dump.groups()[0].key;
        dump.retain_group(key);
        let ids: Vec<_> = dump
            .tasks()
            .iter()
            .map(|task| task.id.to_string())
            .collect();
        assert_eq!(ids, ["1.1", "3.1"]);
    }

    #[test]
    fn sample_has_the_longest_times() {
        let ages = [10, 80, 20, 70, 30, 60, 40, 50];
        let tasks = ages.into_iter().map(|age| task(age.into(), age));
        let group = dump(tasks.collect()).groups().remove(0);
        let ids: Vec<_> = group.sample.iter().map(ToString::to_string).collect();
        assert_eq!(ids, ["80.1", "70.1", "60.1", "50.1", "40.1"]);
    }
}
