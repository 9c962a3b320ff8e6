//! `Forest`: the trees of all tasks in one arena.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::time::Duration;

use volt_inspect::{Status, Wait};

use super::guard_types::GuardTypes;
use super::positions::{Position, PositionSet};
use crate::runtime::dump::place::{Place, PlaceIndex, PlaceTable};
use crate::task::{TaskId, TaskInfo};

/// A future in the tree of a task; see [`Dump::tree`](crate::runtime::Dump::tree).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeNode {
    /// The depth in the tree. The future of the task has the depth zero.
    pub depth: usize,
    /// The number of the future in its parent, if the parent has several.
    pub index: Option<usize>,
    /// The local variable of the parent that stores the future, if the parent does not poll it at
    /// its current step.
    pub local: Option<&'static str>,
    /// The status, as far as the parent knows it.
    pub status: Status,
    /// The type of the future, and the place of its current step.
    pub place: Place,
    /// `false` if the type does not implement [`Inspect`](volt_inspect::Inspect), so that the
    /// futures in it are unknown.
    pub is_inspected: bool,
    /// The local variables that are guards of locks, each with the name of its type. They are known
    /// for machines in the explicit layout.
    pub guards: Vec<(&'static str, &'static str)>,
    /// The event for which the future waits, such as `a timer in 2.5s`.
    pub waits_for: Option<String>,
    /// Names and texts of the values that the future stores. They are empty unless the dump is one
    /// [with values](crate::Handle::dump_task_with_values).
    pub values: Vec<(&'static str, String)>,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime::dump) struct NodeEntry {
    pub(in crate::runtime::dump) place: PlaceIndex,
    /// The number of the child, or `u32::MAX` for an only child.
    pub(super) index: u32,
    pub(in crate::runtime::dump) depth: u16,
    pub(in crate::runtime::dump) status: Status,
    pub(in crate::runtime::dump) is_inspected: bool,
}

// A dump of many tasks has several nodes for each.
#[cfg(test)]
const _: () = assert!(size_of::<NodeEntry>() == 12);

impl NodeEntry {
    pub(in crate::runtime::dump) fn index(&self) -> Option<usize> {
        (self.index != u32::MAX).then_some(self.index as usize)
    }

    /// Returns `true` if a later poll of the task can poll the future.
    pub(in crate::runtime::dump) fn is_live(&self) -> bool {
        matches!(self.status, Status::Waiting | Status::Woken)
    }
}

/// A fact about a node.
#[derive(Clone, Debug)]
pub(in crate::runtime::dump) enum Detail {
    /// The time until a timer.
    Timer(Duration),
    /// The end of another task.
    Task(Box<AwaitedTask>),
    /// The end of a blocking job.
    Job(TaskId),
    /// A lock that a task holds: the task, and the text of the event.
    Lock(Box<(TaskId, Box<str>)>),
    /// The text of another event.
    Wait(Box<Box<str>>),
    /// The local variable that stores a future.
    Local(Box<LocalName>),
    /// A local variable that is the guard of a lock, and the name of its type.
    Guard(Box<(&'static str, &'static str)>),
    Value(Box<(&'static str, Box<str>)>),
}

/// A task for whose end a future waits.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime::dump) struct AwaitedTask {
    id: TaskId,
    /// The innermost place in a file at which this task waits, if it is known.
    place: Option<PlaceIndex>,
}

/// The name of a local variable.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime::dump) struct LocalName(pub(in crate::runtime::dump) &'static str);

// Many tasks wait for a timer. The boxes keep the other facts small.
#[cfg(test)]
const _: () = assert!(size_of::<(u32, Detail)>() <= 24);

impl Detail {
    /// Returns the end of a task that waits at an unknown place.
    pub(super) fn end_of_task(id: TaskId) -> Self {
        Self::Task(Box::new(AwaitedTask { id, place: None }))
    }

    /// Returns the text of an event.
    pub(super) fn text(text: String) -> Self {
        Self::Wait(Box::new(text.into()))
    }
}

/// The text of a fact, with the places of an arena.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime::dump) struct DetailText<'a> {
    detail: &'a Detail,
    places: &'a PlaceTable,
}

impl fmt::Display for DetailText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail {
            Detail::Timer(left) => Wait::Timer { left: *left }.fmt(f),
            Detail::Task(task) => {
                write!(f, "task {}", task.id)?;
                match task.place {
                    Some(place) => write!(f, ", which waits at {}", self.places.get(place)),
                    None => Ok(()),
                }
            }
            Detail::Job(id) => write!(f, "blocking job {id}"),
            Detail::Lock(lock) => f.write_str(&lock.1),
            Detail::Wait(text) => f.write_str(text),
            Detail::Local(name) => f.write_str(name.0),
            Detail::Guard(guard) => write!(f, "{}: {}", guard.0, guard.1),
            Detail::Value(value) => write!(f, "{}: {}", value.0, value.1),
        }
    }
}

/// The trees of all tasks of a dump.
#[derive(Clone, Debug, Default)]
pub(in crate::runtime::dump) struct Forest {
    pub(in crate::runtime::dump) places: PlaceTable,
    pub(super) nodes: Vec<NodeEntry>,
    /// Facts about nodes, each with the number of its node. They are sorted by these numbers.
    pub(super) details: Vec<(u32, Detail)>,
    /// The names of types, each with `true` if it is that of a guard.
    pub(super) guard_types: GuardTypes,
    /// The names of the types whose values are hidden.
    pub(super) secret_types: Vec<&'static str>,
    /// The position in the tree that was added last.
    pub(super) position: Position,
    pub(super) positions: PositionSet,
}

impl Forest {
    /// Returns an empty arena that hides the values of the types with these names.
    pub(in crate::runtime::dump) fn hiding(secret_types: &[&'static str]) -> Self {
        Self {
            secret_types: secret_types.to_vec(),
            ..Self::default()
        }
    }

    /// Returns the nodes of a task, in depth-first order.
    pub(in crate::runtime::dump) fn nodes(&self, task: &TaskInfo) -> &[NodeEntry] {
        let range = task.tree.nodes.start as usize..task.tree.nodes.end as usize;
        self.nodes.get(range).unwrap_or(&[])
    }

    /// Returns the facts about all nodes of a task.
    fn all_details(&self, task: &TaskInfo) -> impl Iterator<Item = &(u32, Detail)> {
        let end = task.tree.nodes.end;
        let from_begin = self.details_from(task).iter();
        from_begin.take_while(move |(node, _)| *node < end)
    }

    /// Returns the facts about the nodes of a task and of all later tasks.
    fn details_from(&self, task: &TaskInfo) -> &[(u32, Detail)] {
        let from_begin = self.details.get(task.tree.details as usize..);
        from_begin.unwrap_or(&[])
    }

    /// Returns the times until the timers that a task waits for.
    pub(in crate::runtime::dump) fn timers(
        &self,
        task: &TaskInfo,
    ) -> impl Iterator<Item = Duration> {
        self.all_details(task)
            .filter_map(|(_, detail)| match detail {
                Detail::Timer(left) => Some(*left),
                _ => None,
            })
    }

    /// Returns the task that holds the lock for which a task waits. A task that waits for another
    /// event too does not depend on the lock alone, so it has none.
    pub(in crate::runtime::dump) fn holder_of_lock(&self, task: &TaskInfo) -> Option<TaskId> {
        let nodes = self.nodes(task);
        let depths = nodes.iter().skip(1).map(|node| node.depth).chain([0]);
        let numbers = (task.tree.nodes.start..).zip(nodes.iter().zip(depths));
        let leaves = numbers.filter(|(_, (node, next))| *next <= node.depth && node.is_live());
        let mut leaves = leaves.map(|(number, _)| number);
        let leaf = leaves.next().filter(|_| leaves.next().is_none())?;
        self.details(task, leaf).find_map(|detail| match detail {
            Detail::Lock(lock) => Some(lock.0),
            _ => None,
        })
    }

    /// Returns the guards that the machines of a task store, each with the name of its type.
    pub(in crate::runtime::dump) fn guards(
        &self,
        task: &TaskInfo,
    ) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.all_details(task)
            .filter_map(|(_, detail)| match detail {
                Detail::Guard(guard) => Some(**guard),
                _ => None,
            })
    }

    /// Returns the facts about a node of a task.
    pub(in crate::runtime::dump) fn details(
        &self,
        task: &TaskInfo,
        node: u32,
    ) -> impl Iterator<Item = &Detail> {
        let all = self.details_from(task);
        let begin = all.partition_point(|(other, _)| *other < node);
        let of_node = all[begin..]
            .iter()
            .take_while(move |(other, _)| *other == node);
        of_node.map(|(_, detail)| detail)
    }

    /// Returns the text of a fact.
    pub(in crate::runtime::dump) fn shown<'a>(&'a self, detail: &'a Detail) -> DetailText<'a> {
        let places = &self.places;
        DetailText { detail, places }
    }

    /// Stores the places at which awaited tasks wait, for the texts of the futures that await them.
    pub(in crate::runtime::dump) fn add_awaited_places(&mut self, tasks: &[TaskInfo]) {
        let details = self.details.iter();
        let awaited = details.filter_map(|(_, detail)| match detail {
            Detail::Task(task) => Some((task.id, None)),
            _ => None,
        });
        let mut places: HashMap<TaskId, Option<PlaceIndex>> = awaited.collect();
        if places.is_empty() {
            return;
        }
        for task in tasks {
            if let Some(place) = places.get_mut(&task.id) {
                self.trace(task, |index| {
                    if !self.places.get(index).file.is_empty() {
                        *place = Some(index);
                    }
                });
            }
        }
        for (_, detail) in &mut self.details {
            if let Detail::Task(task) = detail {
                task.place = places[&task.id];
            }
        }
    }

    /// Returns the tree of a task.
    pub(in crate::runtime::dump) fn tree(&self, task: &TaskInfo) -> Vec<TreeNode> {
        let nodes = (task.tree.nodes.start..).zip(self.nodes(task));
        nodes
            .map(|(number, entry)| self.to_node(task, number, entry))
            .collect()
    }

    fn to_node(&self, task: &TaskInfo, number: u32, entry: &NodeEntry) -> TreeNode {
        let mut node = TreeNode {
            depth: entry.depth.into(),
            index: entry.index(),
            local: None,
            guards: Vec::new(),
            status: entry.status,
            place: self.places.get(entry.place),
            is_inspected: entry.is_inspected,
            waits_for: None,
            values: Vec::new(),
        };
        for detail in self.details(task, number) {
            match detail {
                Detail::Value(value) => node.values.push((value.0, value.1.to_string())),
                Detail::Local(name) => node.local = Some(name.0),
                Detail::Guard(guard) => node.guards.push(**guard),
                Detail::Timer(_)
                | Detail::Task(_)
                | Detail::Job(_)
                | Detail::Lock(_)
                | Detail::Wait(_) => {
                    let text = self.shown(detail);
                    match &mut node.waits_for {
                        Some(events) => _ = write!(events, " or {text}"),
                        first => *first = Some(text.to_string()),
                    }
                }
            }
        }
        node
    }

    /// Passes the places from the outermost future to the innermost one that the task waits for.
    pub(in crate::runtime::dump) fn trace(
        &self,
        task: &TaskInfo,
        mut visit: impl FnMut(PlaceIndex),
    ) {
        let mut depth = 0;
        for node in self.nodes(task) {
            // The first live child of a node is followed, and the other ones are not.
            if node.depth == depth && node.is_live() {
                visit(node.place);
                depth += 1;
            } else if node.depth < depth {
                return;
            }
        }
    }

    /// Passes the places to each innermost future that was polled and not woken since, the
    /// outermost first.
    pub(in crate::runtime::dump) fn waiting_paths(
        &self,
        task: &TaskInfo,
        mut visit: impl FnMut(&[PlaceIndex]),
    ) {
        let mut path = Vec::new();
        // `true` if no waiting child of the last future has been found.
        let mut is_open = false;
        for node in self.nodes(task) {
            let depth = usize::from(node.depth);
            if depth < path.len() {
                if is_open {
                    visit(&path);
                }
                is_open = false;
                path.truncate(depth);
            }
            if depth == path.len() && node.status == Status::Waiting {
                path.push(node.place);
                is_open = true;
            }
        }
        if is_open {
            visit(&path);
        }
    }
}
