//! The rule about futures that a task has polled before, and does not poll while it waits.

use volt_inspect::Status;

use super::finding::{Finding, FindingKind};
use super::rules::{Found, Rules};
use crate::runtime::dump::place::Place;
use crate::runtime::dump::tree::{Detail, NodeEntry};
use crate::task::TaskInfo;

/// A future that is dormant.
struct DormantFuture {
    /// The local variable that stores it, if it is known.
    local: Option<&'static str>,
    /// The step of the machine that stores it and does not poll it.
    holder: Option<Place>,
    /// The place at which the future itself waits.
    waits_at: String,
}

impl<'a> Rules<'a> {
    /// Finds futures that a task has polled before, and does not poll while it waits.
    ///
    /// Timers, and handles of tasks and jobs, make progress without a poll, so they are not
    /// reported.
    pub(super) fn dormant(&self) -> Vec<Finding> {
        let is_dormant = |task: &TaskInfo| self.has_dormant_future(task);
        self.tree_findings(FindingKind::Dormant, is_dormant, |found| {
            self.dormant_text(found)
        })
    }

    fn dormant_text(&self, found: &Found<'a>) -> String {
        let (count, longest) = (self.counted_with_example(found), self.longest_of(found));
        let future = self
            .dormant_future(longest)
            .expect("each of the tasks has one");
        let local = match future.local {
            Some(local) => format!("`{local}`"),
            None => "a future".to_owned(),
        };
        let place = match future.holder {
            Some(place) => place.to_string(),
            None => self.place_of(found),
        };
        let (waits_at, do_not) = (future.waits_at, found.verb("does not", "do not"));
        format!(
            "dormant future: {count} {do_not} poll {local} at {place}; {local} waits at {waits_at}"
        )
    }

    /// Returns `true` if a task stores a dormant future that needs polls.
    pub(super) fn has_dormant_future(&self, task: &TaskInfo) -> bool {
        self.dormant_future(task).is_some()
    }

    /// Returns the first future of a task that is dormant and needs polls.
    fn dormant_future(&self, task: &TaskInfo) -> Option<DormantFuture> {
        let nodes = self.nodes(task);
        let found = nodes.iter().enumerate().find(|(index, node)| {
            node.status == Status::Dormant && self.needs_polls(task, subtree(nodes, *index))
        });
        let (index, node) = found?;
        let forest = &self.dump.forest;
        let number = task.tree.nodes.start + index as u32;
        let local = forest
            .details(task, number)
            .find_map(|detail| match detail {
                Detail::Local(name) => Some(name.0),
                _ => None,
            });
        let before = nodes[..index].iter().rev();
        let mut holders = before.filter(|other| other.depth < node.depth);
        let holder = holders.next().map(|holder| forest.places.get(holder.place));
        Some(DormantFuture {
            local,
            holder,
            waits_at: self.waits_at(&nodes[subtree(nodes, index)]),
        })
    }

    /// Returns `true` if a leaf in a subtree waits for an event after which it has to be polled.
    fn needs_polls(&self, task: &TaskInfo, subtree: std::ops::Range<usize>) -> bool {
        let nodes = self.nodes(task);
        let is_leaf = |index: &usize| {
            let next = nodes.get(index + 1);
            next.is_none_or(|next| next.depth <= nodes[*index].depth)
        };
        let is_waiting =
            |index: &usize| nodes[*index].is_live() || nodes[*index].status == Status::Dormant;
        let mut leaves = subtree.filter(|index| is_leaf(index) && is_waiting(index));
        leaves.any(|index| {
            let number = task.tree.nodes.start + index as u32;
            let mut details = self.dump.forest.details(task, number);
            let runs = |detail: &Detail| {
                matches!(detail, Detail::Timer(_) | Detail::Task(_) | Detail::Job(_))
            };
            !details.any(runs)
        })
    }

    /// Returns the innermost place in a file at which a subtree waits, and its leaf.
    fn waits_at(&self, nodes: &[NodeEntry]) -> String {
        let places = &self.dump.forest.places;
        let mut trace: Vec<Place> = Vec::new();
        for node in nodes {
            let depth = usize::from(node.depth - nodes[0].depth);
            if depth < trace.len() {
                break;
            }
            if depth == trace.len() && (depth == 0 || node.is_live()) {
                trace.push(places.get(node.place));
            }
        }
        let in_file = trace.iter().rev().find(|place| !place.file.is_empty());
        match (in_file, trace.last()) {
            (Some(place), Some(leaf)) if leaf.file.is_empty() => format!("{place} in {leaf}"),
            (Some(place), _) | (None, Some(place)) => place.to_string(),
            (None, None) => String::new(),
        }
    }
}

/// Returns the range of a node and all nodes in it.
fn subtree(nodes: &[NodeEntry], root: usize) -> std::ops::Range<usize> {
    let mut inner = nodes[root + 1..].iter();
    let end = inner.position(|node| node.depth <= nodes[root].depth);
    root..end.map_or(nodes.len(), |end| root + 1 + end)
}
