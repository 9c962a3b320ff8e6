//! `Grouping`: the groups of a dump, with their places as indices.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::place::{Place, PlaceIndex, PlaceTable};
use crate::task::{Lifecycle, TaskId, TaskInfo};

/// The number of tasks whose ids a group lists.
const SAMPLE: usize = 5;

/// The places of one task, as indices of a [`PlaceTable`].
#[derive(Debug)]
pub(in crate::runtime::dump) struct TaskPlaces {
    pub(in crate::runtime::dump) spawned: PlaceIndex,
    pub(in crate::runtime::dump) future: PlaceIndex,
    /// The index of the group.
    pub(in crate::runtime::dump) group: u32,
}

/// A group, with its places as indices.
#[derive(Debug)]
pub(in crate::runtime::dump) struct GroupEntry {
    pub(in crate::runtime::dump) key: u64,
    trace: Range<usize>,
    /// The place of the spawn of the first task.
    pub(in crate::runtime::dump) spawned: PlaceIndex,
    /// All tasks were spawned at this place.
    has_one_spawn: bool,
    pub(in crate::runtime::dump) count: usize,
    /// The numbers of tasks that are idle, queued and running.
    pub(in crate::runtime::dump) by_state: [usize; 3],
    pub(in crate::runtime::dump) shortest: Duration,
    /// Tasks with their times, in descending order of these.
    pub(in crate::runtime::dump) sample: Vec<(Duration, TaskId)>,
}

/// The groups of a dump, and the places of its tasks.
#[derive(Debug, Default)]
pub(in crate::runtime::dump) struct Grouping {
    pub(in crate::runtime::dump) places: PlaceTable,
    /// The places of each task, in the order of the dump.
    pub(in crate::runtime::dump) tasks: Vec<TaskPlaces>,
    /// The groups, the largest first.
    pub(in crate::runtime::dump) groups: Vec<GroupEntry>,
    /// The places of the groups.
    traces: Vec<PlaceIndex>,
    /// Indices of tasks, and the places of the machines of
    /// [`TaskInfo::within`], in the order of the tasks.
    within: Vec<(usize, Box<[PlaceIndex]>)>,
}

impl Grouping {
    pub(in crate::runtime::dump) fn of(dump: &Dump) -> Self {
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
            grouping.groups[group as usize].add(task, spawned, dump.time_since(task));
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
            has_one_spawn: true,
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
    pub(in crate::runtime::dump) fn trace(&self, group: usize) -> &[PlaceIndex] {
        &self.traces[self.groups[group].trace.clone()]
    }

    /// Returns the places of a group, or the place of the spawn if there are none.
    pub(in crate::runtime::dump) fn trace_or_spawn(&self, group: usize) -> Vec<Place> {
        let trace = self.trace(group).iter();
        let trace: Vec<_> = trace.map(|place| self.places.get(*place)).collect();
        if trace.is_empty() {
            return vec![self.places.get(self.groups[group].spawned)];
        }
        trace
    }

    /// Returns the innermost place of a group in a file, or the place of the spawn.
    pub(in crate::runtime::dump) fn place(&self, group: usize) -> Place {
        let trace = self
            .trace(group)
            .iter()
            .map(|place| self.places.get(*place));
        let in_file = trace.rev().find(|place| !place.file.is_empty());
        in_file.unwrap_or_else(|| self.places.get(self.groups[group].spawned))
    }

    /// Returns the text of the innermost place in a file, with the innermost future if it has none.
    pub(in crate::runtime::dump) fn place_text(&self, group: usize) -> String {
        let place = self.place(group);
        match self.awaited(group).last() {
            Some(future) => format!("{place} in {future}"),
            None => place.to_string(),
        }
    }

    /// Returns the text of the place at which all tasks of a group were spawned, if it is one and
    /// the text of the group does not have it.
    pub(in crate::runtime::dump) fn spawn_text(&self, group: usize) -> String {
        let spawned = self.groups[group].spawned_at();
        match spawned.filter(|_| !self.trace(group).is_empty()) {
            None => String::new(),
            Some(place) => {
                let place = self.places.get(place);
                let (file, line, column) = (place.file, place.line, place.column);
                format!(", spawned at {file}:{line}:{column}")
            }
        }
    }

    /// Returns the places after the innermost one in a file: the future that is awaited there, and
    /// the futures in it.
    pub(in crate::runtime::dump) fn awaited(&self, group: usize) -> impl Iterator<Item = Place> {
        let trace = self.trace(group).iter();
        let places: Vec<_> = trace.map(|place| self.places.get(*place)).collect();
        let lined = places.iter().rposition(|place| !place.file.is_empty());
        places.into_iter().skip(lined.map_or(0, |lined| lined + 1))
    }

    /// Returns the places of [`TaskInfo::within`] for the task with this index.
    pub(in crate::runtime::dump) fn within(
        &self,
        task: usize,
    ) -> impl Iterator<Item = &[PlaceIndex]> {
        let begin = self.within.partition_point(|(other, _)| *other < task);
        let from_begin = self.within[begin..].iter();
        let of_task = from_begin.take_while(move |(other, _)| *other == task);
        of_task.map(|(_, trace)| &**trace)
    }
}

impl GroupEntry {
    fn add(&mut self, task: &TaskInfo, spawned: PlaceIndex, time: Duration) {
        self.count += 1;
        self.has_one_spawn &= spawned == self.spawned;
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

    /// Returns the place of the spawn of all tasks, if it is one.
    pub(in crate::runtime::dump) fn spawned_at(&self) -> Option<PlaceIndex> {
        self.has_one_spawn.then_some(self.spawned)
    }

    pub(in crate::runtime::dump) fn longest(&self) -> Duration {
        self.sample
            .first()
            .map_or(Duration::ZERO, |(time, _)| *time)
    }
}
