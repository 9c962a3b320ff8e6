//! Groups of tasks that wait at the same place.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use super::dump::Dump;
use super::place::{Place, PlaceIndex, PlaceTable};
use crate::task::{Lifecycle, TaskId, TaskInfo};

/// The number of tasks whose ids a group lists.
const SAMPLE: usize = 5;

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

/// The places of one task, as indices of a [`PlaceTable`].
#[derive(Debug)]
pub(super) struct TaskPlaces {
    pub(super) spawned: PlaceIndex,
    pub(super) future: PlaceIndex,
    /// The index of the group.
    pub(super) group: u32,
}

/// A group, with its places as indices.
#[derive(Debug)]
pub(super) struct GroupEntry {
    pub(super) key: u64,
    trace: Range<usize>,
    pub(super) spawned: PlaceIndex,
    pub(super) count: usize,
    /// The numbers of tasks that are idle, queued and running.
    pub(super) by_state: [usize; 3],
    pub(super) shortest: Duration,
    /// Tasks with their times, in descending order of these.
    pub(super) sample: Vec<(Duration, TaskId)>,
}

/// The groups of a dump, and the places of its tasks.
#[derive(Debug, Default)]
pub(super) struct Grouping {
    pub(super) places: PlaceTable,
    /// The places of each task, in the order of the dump.
    pub(super) tasks: Vec<TaskPlaces>,
    /// The groups, the largest first.
    pub(super) groups: Vec<GroupEntry>,
    /// The places of the groups.
    traces: Vec<PlaceIndex>,
    /// Indices of tasks, and the places of the machines of
    /// [`TaskInfo::within`], in the order of the tasks.
    within: Vec<(usize, Box<[PlaceIndex]>)>,
}

impl Grouping {
    pub(super) fn of(dump: &Dump) -> Self {
        let mut grouping = Self {
            places: dump.forest.places.clone(),
            ..Self::default()
        };
        let mut indices = HashMap::<Box<[PlaceIndex]>, u32>::new();
        let mut key = Vec::new();
        grouping.tasks.reserve(dump.tasks.len());
        for (index, task) in dump.tasks.iter().enumerate() {
            for states in &task.within {
                let states = states.iter();
                let trace = states.map(|state| grouping.places.add_state(state));
                let trace = trace.collect();
                grouping.within.push((index, trace));
            }
            let spawned = grouping.places.add_spawn(task.location);
            let future = grouping.places.add_type(task.type_name);
            key.clear();
            dump.forest.trace(task, |place| key.push(place));
            if key.is_empty() {
                let states = task.position.iter();
                key.extend(states.map(|state| grouping.places.add_state(state)));
            }
            let trace_length = key.len();
            if key.is_empty() {
                key.push(spawned);
            }
            let group = match indices.get(&key[..]) {
                Some(group) => *group,
                None => {
                    let group = grouping.add_group(&key, trace_length, spawned);
                    indices.insert(key.clone().into(), group);
                    group
                }
            };
            grouping.groups[group as usize].add(task, dump.time_since(task));
            let places = TaskPlaces {
                spawned,
                future,
                group,
            };
            grouping.tasks.push(places);
        }
        grouping.sort();
        grouping
    }

    fn add_group(&mut self, key: &[PlaceIndex], trace_length: usize, spawned: PlaceIndex) -> u32 {
        let begin = self.traces.len();
        self.traces.extend(&key[..trace_length]);
        let index = u32::try_from(self.groups.len()).expect("a program has fewer places");
        self.groups.push(GroupEntry {
            key: self.places.stable_hash(key),
            trace: begin..self.traces.len(),
            spawned,
            count: 0,
            by_state: [0; 3],
            shortest: Duration::MAX,
            sample: Vec::new(),
        });
        index
    }

    /// Sorts the groups by size, then by time.
    fn sort(&mut self) {
        let mut order: Vec<_> = (0..self.groups.len()).collect();
        order.sort_by_key(|&index| {
            let group = &self.groups[index];
            std::cmp::Reverse((group.count, group.longest()))
        });
        let mut ranks = vec![0; order.len()];
        for (rank, &index) in (0..).zip(&order) {
            ranks[index] = rank;
        }
        for task in &mut self.tasks {
            task.group = ranks[task.group as usize];
        }
        let mut groups: Vec<_> = self.groups.drain(..).map(Some).collect();
        let sorted = order.into_iter().filter_map(|index| groups[index].take());
        self.groups = sorted.collect();
    }

    /// Returns the places of a group, the outermost first.
    pub(super) fn trace(&self, group: usize) -> &[PlaceIndex] {
        &self.traces[self.groups[group].trace.clone()]
    }

    /// Returns the places of a group, or the place of the spawn if there are none.
    pub(super) fn trace_or_spawn(&self, group: usize) -> Vec<Place> {
        let trace = self.trace(group).iter();
        let trace: Vec<_> = trace.map(|place| self.places.get(*place)).collect();
        if trace.is_empty() {
            return vec![self.places.get(self.groups[group].spawned)];
        }
        trace
    }

    /// Returns the innermost place of a group in a file, or the place of the spawn.
    pub(super) fn place(&self, group: usize) -> Place {
        let trace = self
            .trace(group)
            .iter()
            .map(|place| self.places.get(*place));
        let in_file = trace.rev().find(|place| !place.file.is_empty());
        in_file.unwrap_or_else(|| self.places.get(self.groups[group].spawned))
    }

    /// Returns the text of the innermost place in a file, with the innermost future if it has none.
    pub(super) fn place_text(&self, group: usize) -> String {
        let place = self.place(group);
        match self.awaited(group).last() {
            Some(future) => format!("{place} in {future}"),
            None => place.to_string(),
        }
    }

    /// Returns the places after the innermost one in a file: the future that is awaited there, and
    /// the futures in it.
    pub(super) fn awaited(&self, group: usize) -> impl Iterator<Item = Place> {
        let trace = self.trace(group).iter();
        let places: Vec<_> = trace.map(|place| self.places.get(*place)).collect();
        let lined = places.iter().rposition(|place| !place.file.is_empty());
        places.into_iter().skip(lined.map_or(0, |lined| lined + 1))
    }

    /// Returns the places of [`TaskInfo::within`] for the task with this index.
    pub(super) fn within(&self, task: usize) -> impl Iterator<Item = &[PlaceIndex]> {
        let begin = self.within.partition_point(|(other, _)| *other < task);
        let from_begin = self.within[begin..].iter();
        let of_task = from_begin.take_while(move |(other, _)| *other == task);
        of_task.map(|(_, trace)| &**trace)
    }

    fn to_group(&self, index: usize) -> TaskGroup {
        let entry = &self.groups[index];
        let trace = self.trace(index).iter();
        let trace: Vec<_> = trace.map(|place| self.places.get(*place)).collect();
        let [idle, queued, running] = entry.by_state;
        TaskGroup {
            key: entry.key,
            spawned: trace.is_empty().then(|| self.places.get(entry.spawned)),
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

impl GroupEntry {
    fn add(&mut self, task: &TaskInfo, time: Duration) {
        self.count += 1;
        match task.lifecycle {
            Lifecycle::Idle => self.by_state[0] += 1,
            Lifecycle::Scheduled => self.by_state[1] += 1,
            Lifecycle::Running => self.by_state[2] += 1,
            Lifecycle::Complete => {}
        }
        self.shortest = self.shortest.min(time);
        let rank = self.sample.partition_point(|(other, _)| *other >= time);
        if rank < SAMPLE {
            self.sample.truncate(SAMPLE - 1);
            self.sample.insert(rank, (time, task.id));
        }
    }

    pub(super) fn longest(&self) -> Duration {
        self.sample
            .first()
            .map_or(Duration::ZERO, |(time, _)| *time)
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
