//! `DumpDiff`: the changes between two dumps of a runtime.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use super::dump::Dump;
use super::groups::Grouping;
use super::place::{Place, counted};
use super::tree::NodeEntry;
use crate::task::{TaskId, TaskInfo};

/// The number of groups and of tasks that the text of a diff lists.
const MAX_LISTED: usize = 20;

/// The changes between two dumps of a runtime; see [`Dump::diff`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct DumpDiff {
    /// The time between the two dumps, by the clock of the system.
    pub elapsed: Duration,
    /// Tasks that ended.
    pub gone: Vec<TaskId>,
    /// Tasks that were spawned.
    pub new: Vec<TaskId>,
    /// Tasks that were polled.
    pub moved: Vec<TaskId>,
    /// Tasks that are in both dumps and were not polled. A task that is in the same poll in both
    /// dumps is one of them.
    pub not_moved: Vec<TaskId>,
    /// Tasks that were polled, but have the same futures at the same places as before. A waker may
    /// wake them without a reason, or a loop has returned to the same await.
    pub polled_for_nothing: Vec<TaskId>,
    /// The number of polls of these tasks between the two dumps.
    pub idle_polls: u64,
    /// The groups that are in one of the dumps, those that changed most first.
    pub groups: Vec<GroupChange>,
}

/// The change of a group of tasks; see [`TaskGroup`](crate::runtime::TaskGroup).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupChange {
    /// The key of the group.
    pub key: u64,
    /// The places from the outermost machine to the innermost one, or the place of the spawn.
    pub trace: Vec<Place>,
    /// The number of tasks in the first dump.
    pub before: usize,
    /// The number of tasks in the second dump.
    pub after: usize,
    /// The number of tasks in the second dump that were not polled since the first one.
    pub not_moved: usize,
    /// The number of polls, since the first dump, of the tasks that were
    /// [polled for nothing](DumpDiff::polled_for_nothing).
    pub idle_polls: u64,
}

impl GroupChange {
    fn change(&self) -> isize {
        // A dump has fewer than `isize::MAX` tasks.
        self.after as isize - self.before as isize
    }
}

impl Dump {
    /// Returns the changes from `before`, an earlier dump of the same runtime, to this dump.
    ///
    /// Tasks are compared by their ids. A task that is in both dumps has *moved* if it was polled
    /// in between. A task that hangs has not moved, and neither has a task that waits for a rare
    /// event. So look first at the groups that grow.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Runtime::new()?;
    /// let before = runtime.dump();
    /// let task = runtime.spawn(std::future::pending::<()>());
    /// let diff = runtime.dump().diff(&before);
    /// assert_eq!(diff.new, [task.id()]);
    /// println!("{diff}");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn diff(&self, before: &Self) -> DumpDiff {
        let mut diff = DumpDiff {
            elapsed: self.taken.duration_since(before.taken).unwrap_or_default(),
            gone: Vec::new(),
            new: Vec::new(),
            moved: Vec::new(),
            not_moved: Vec::new(),
            polled_for_nothing: Vec::new(),
            idle_polls: 0,
            groups: Vec::new(),
        };
        let mut groups = GroupChanges::default();
        groups.add_before(&Grouping::of(before));
        let grouping = Grouping::of(self);
        let indices = groups.add_after(&grouping);
        let earlier = before.tasks.iter().map(|task| (task.id, task));
        let mut earlier: HashMap<_, _> = earlier.collect();
        for (task, places) in self.tasks.iter().zip(&grouping.tasks) {
            let group = &mut groups.0[indices[places.group as usize]];
            match earlier.remove(&task.id) {
                None => diff.new.push(task.id),
                Some(earlier) if earlier.polls != task.polls => {
                    diff.moved.push(task.id);
                    if self.has_same_tree(task, before, earlier) {
                        // The counter of a task wraps around.
                        let polls = u64::from(task.polls.wrapping_sub(earlier.polls));
                        diff.polled_for_nothing.push(task.id);
                        diff.idle_polls += polls;
                        group.idle_polls += polls;
                    }
                }
                Some(_) => {
                    diff.not_moved.push(task.id);
                    group.not_moved += 1;
                }
            }
        }
        let is_gone = |id: &TaskId| earlier.contains_key(id);
        diff.gone = before
            .tasks
            .iter()
            .map(|task| task.id)
            .filter(is_gone)
            .collect();
        diff.groups = groups.0;
        diff.groups.sort_by_key(|group| {
            let change = group.change();
            std::cmp::Reverse((change.unsigned_abs(), group.after))
        });
        diff
    }
}

impl Dump {
    /// Returns `true` if the tree of a task has the same futures at the same places as in another
    /// dump. A task without a tree has unknown futures.
    fn has_same_tree(&self, task: &TaskInfo, other: &Self, other_task: &TaskInfo) -> bool {
        let (nodes, others) = (self.forest.nodes(task), other.forest.nodes(other_task));
        let is_same = |(node, other_node): (&NodeEntry, &NodeEntry)| {
            let places = [
                self.forest.places.get(node.place),
                other.forest.places.get(other_node.place),
            ];
            let is_place_same = places[0] == places[1] && node.index() == other_node.index();
            is_place_same && node.depth == other_node.depth && node.status == other_node.status
        };
        !nodes.is_empty() && nodes.len() == others.len() && nodes.iter().zip(others).all(is_same)
    }
}

/// The groups of both dumps.
#[derive(Default)]
struct GroupChanges(Vec<GroupChange>);

impl GroupChanges {
    fn add_before(&mut self, grouping: &Grouping) {
        for (index, group) in grouping.groups.iter().enumerate() {
            self.0.push(GroupChange {
                key: group.key,
                trace: grouping.trace_or_spawn(index),
                before: group.count,
                after: 0,
                not_moved: 0,
                idle_polls: 0,
            });
        }
    }

    /// Returns the index here of each group.
    fn add_after(&mut self, grouping: &Grouping) -> Vec<usize> {
        let known = self
            .0
            .iter()
            .enumerate()
            .map(|(index, group)| (group.key, index));
        let known: HashMap<_, _> = known.collect();
        let mut indices = Vec::with_capacity(grouping.groups.len());
        for (index, group) in grouping.groups.iter().enumerate() {
            let here = known.get(&group.key).copied().unwrap_or(self.0.len());
            if here == self.0.len() {
                self.0.push(GroupChange {
                    key: group.key,
                    trace: grouping.trace_or_spawn(index),
                    before: 0,
                    after: 0,
                    not_moved: 0,
                    idle_polls: 0,
                });
            }
            self.0[here].after = group.count;
            indices.push(here);
        }
        indices
    }
}

impl fmt::Display for DumpDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = self
            .groups
            .iter()
            .filter(|group| group.before != group.after);
        for group in changed.take(MAX_LISTED) {
            write_group(f, group)?;
        }
        for task in self.polled_for_nothing.iter().take(MAX_LISTED) {
            writeln!(f, "polled without a change: task {task}")?;
        }
        for task in self.not_moved.iter().take(MAX_LISTED) {
            writeln!(f, "not polled: task {task}")?;
        }
        match self.not_moved.len().saturating_sub(MAX_LISTED) {
            0 => {}
            more => writeln!(f, "and {more} more")?,
        }
        let millis = self.elapsed.as_millis();
        let (gone, new) = (self.gone.len(), self.new.len());
        let (moved, not_moved) = (self.moved.len(), self.not_moved.len());
        write!(
            f,
            "{millis} ms: {gone} gone, {new} new, {moved} polled, {not_moved} not polled"
        )?;
        match self.idle_polls {
            0 => Ok(()),
            polls => write!(f, ", {polls} polls without a change"),
        }
    }
}

fn write_group(f: &mut fmt::Formatter<'_>, group: &GroupChange) -> fmt::Result {
    write!(f, "{:+}: {}", group.change(), counted(group.after))?;
    match group.trace.last() {
        Some(place) if place.is_spawn() => write!(f, ", {place}")?,
        Some(place) => write!(f, " at {place}")?,
        None => {}
    }
    if group.not_moved > 0 {
        write!(f, ", {} not polled", group.not_moved)?;
    }
    if group.idle_polls > 0 {
        write!(f, ", {} polls without a change", group.idle_polls)?;
    }
    f.write_str("\n")
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use crate::runtime::dump::sample::{dump, task};
    use crate::task::{TaskId, TaskInfo};
    use std::time::Duration;

    fn id(slot: u64) -> TaskId {
        task(slot, 0).id
    }

    fn polled(slot: u64, polls: u32) -> TaskInfo {
        TaskInfo {
            polls,
            ..task(slot, 10)
        }
    }

    fn without_machine(slot: u64) -> TaskInfo {
        TaskInfo {
            position: [].into(),
            ..task(slot, 10)
        }
    }

    #[test]
    fn tasks_are_compared_by_id_and_polls() {
        let before = dump(vec![polled(1, 3), polled(2, 3), polled(3, 3)]);
        let mut after = dump(vec![polled(4, 1), polled(2, 4), polled(1, 3)]);
        after.taken += Duration::from_millis(1_500);
        let diff = after.diff(&before);
        assert_eq!(diff.elapsed, Duration::from_millis(1_500));
        assert_eq!((diff.gone, diff.new), (vec![id(3)], vec![id(4)]));
        assert_eq!((diff.moved, diff.not_moved), (vec![id(2)], vec![id(1)]));
    }

    #[test]
    fn task_in_a_reused_slot_is_new() {
        let mut other = task(1, 10);
        other.id = TaskId::from_bits(2 << 32 | 1);
        let diff = dump(vec![other.clone()]).diff(&dump(vec![task(1, 10)]));
        assert_eq!((diff.gone, diff.new), (vec![id(1)], vec![other.id]));
    }

    #[test]
    fn groups_are_sorted_by_their_change() {
        let before = dump(vec![task(1, 10), task(2, 10), without_machine(3)]);
        let grown = (3..=6).map(without_machine);
        let diff = dump(grown.chain([task(1, 10)]).collect()).diff(&before);
        let counts = |index: usize| {
            let group = &diff.groups[index];
            (group.before, group.after, group.not_moved)
        };
        assert_eq!((counts(0), counts(1)), ((1, 4, 1), (2, 1, 1)));
        assert_eq!(diff.groups[1].trace.len(), 2);
        let text = diff.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with("+3: 4 tasks, spawned at "), "{text}");
        assert!(lines[0].ends_with(", 1 not polled"), "{text}");
        assert!(
            lines[1].starts_with("-1: 1 task at ReadFrame at await poll_fn, "),
            "{text}"
        );
        assert_eq!(lines[4], "0 ms: 1 gone, 3 new, 0 polled, 2 not polled");
    }

    #[test]
    fn group_of_one_dump_is_compared_with_none() {
        let (one, other) = (dump(vec![task(1, 10)]), dump(vec![without_machine(1)]));
        let diff = one.diff(&other);
        let counts = diff.groups.iter().map(|group| (group.before, group.after));
        assert_eq!(counts.collect::<Vec<_>>(), [(0, 1), (1, 0)]);
        assert_eq!(diff.not_moved, [id(1)]);
    }
}
