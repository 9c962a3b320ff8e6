//! The difference of two dumps: tasks by their ids, and groups by their keys.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::dump_data::{DumpData, GroupData, NodeData, TaskData};

/// The difference of two dumps.
#[derive(Clone, Debug, Default)]
pub(super) struct Difference<'a> {
    pub(super) elapsed_ms: u64,
    pub(super) gone: Vec<&'a TaskData>,
    pub(super) new: Vec<&'a TaskData>,
    /// The tasks that were polled between the dumps.
    pub(super) moved: Vec<&'a TaskData>,
    /// The tasks that were not polled.
    pub(super) not_moved: Vec<&'a TaskData>,
    /// The tasks that were polled, and have the same futures at the same places as before.
    pub(super) polled_for_nothing: Vec<&'a TaskData>,
    /// The number of polls of these tasks between the dumps.
    pub(super) idle_polls: u64,
    pub(super) groups: Vec<GroupChange<'a>>,
}

/// The numbers of tasks of a group in both dumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupChange<'a> {
    pub(super) group: &'a GroupData,
    pub(super) before: u64,
    pub(super) after: u64,
    /// The number of tasks that were not polled between the dumps.
    pub(super) not_moved: u64,
    /// The number of polls of tasks that were polled for nothing.
    pub(super) idle_polls: u64,
}

impl GroupChange<'_> {
    pub(super) fn size(&self) -> u64 {
        self.after.abs_diff(self.before)
    }
}

/// Compares two dumps of a runtime.
pub(super) fn difference<'a>(before: &'a DumpData, after: &'a DumpData) -> Difference<'a> {
    let by_id = |data: &'a DumpData| {
        let tasks = data.tasks.iter();
        tasks
            .map(|task| (task.id.as_str(), task))
            .collect::<HashMap<_, _>>()
    };
    let (old, current) = (by_id(before), by_id(after));
    let gone = before.tasks.iter();
    let gone = gone.filter(|task| !current.contains_key(task.id.as_str()));
    let mut difference = Difference {
        elapsed_ms: after.taken_ms.saturating_sub(before.taken_ms),
        gone: gone.collect(),
        groups: groups_of(before),
        ..Difference::default()
    };
    let changes = add_groups(&mut difference.groups, after);
    for task in &after.tasks {
        let list = match old.get(task.id.as_str()) {
            None => &mut difference.new,
            Some(old) if old.polls == task.polls => {
                if let Some(change) = changes.get(task.group) {
                    difference.groups[*change].not_moved += 1;
                }
                &mut difference.not_moved
            }
            Some(old) => {
                if has_same_tree(old, task) {
                    let polls = task.polls.saturating_sub(old.polls);
                    difference.polled_for_nothing.push(task);
                    difference.idle_polls += polls;
                    if let Some(change) = changes.get(task.group) {
                        difference.groups[*change].idle_polls += polls;
                    }
                }
                &mut difference.moved
            }
        };
        list.push(task);
    }
    difference
        .groups
        .sort_by_key(|change| Reverse((change.size(), change.after)));
    difference
}

/// Returns `true` if a task has the same futures at the same places in both dumps, as
/// `Dump::diff` does. A task without a tree has unknown futures.
fn has_same_tree(before: &TaskData, after: &TaskData) -> bool {
    let is_same = |(one, other): (&NodeData, &NodeData)| {
        let is_place_same = (&one.place, one.column) == (&other.place, other.column);
        let is_child_same = (one.index, &one.status) == (other.index, &other.status);
        is_place_same && is_child_same && one.depth == other.depth
    };
    let mut nodes = before.tree.iter().zip(&after.tree);
    !after.tree.is_empty() && before.tree.len() == after.tree.len() && nodes.all(is_same)
}

/// Returns the groups of the first dump.
fn groups_of(before: &DumpData) -> Vec<GroupChange<'_>> {
    let change = |group| GroupChange {
        group,
        before: group.count,
        after: 0,
        not_moved: 0,
        idle_polls: 0,
    };
    before.groups.iter().map(change).collect()
}

/// Adds the groups of the second dump. Returns the index of each of them in the list.
fn add_groups<'a>(changes: &mut Vec<GroupChange<'a>>, after: &'a DumpData) -> Vec<usize> {
    let known = changes.iter().enumerate();
    let mut known: HashMap<&str, usize> = known
        .map(|(index, change)| (change.group.key.as_str(), index))
        .collect();
    let groups = after.groups.iter();
    let indices = groups.map(|group| {
        let index = *known.entry(&group.key).or_insert(changes.len());
        if index == changes.len() {
            changes.push(GroupChange {
                group,
                before: 0,
                after: 0,
                not_moved: 0,
                idle_polls: 0,
            });
        }
        changes[index].after = group.count;
        index
    });
    indices.collect()
}
