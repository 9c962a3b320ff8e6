//! `MergedNode`: the nodes of a tree that replaces another one.

use volt_inspect::Status;

use super::forest::{Forest, NodeEntry};
use crate::runtime::dump::place::Place;
use crate::task::{TaskInfo, TreeRange};

/// A node of a tree that replaces another one.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime::dump) enum MergedNode {
    /// The node with this number in the earlier tree, and its facts.
    Kept(u32),
    /// A function that waits, or that calls one.
    Function {
        depth: u16,
        index: Option<usize>,
        place: Place,
    },
}

impl MergedNode {
    pub(in crate::runtime::dump) fn new(depth: usize, index: Option<usize>, place: Place) -> Self {
        Self::Function {
            depth: depth as u16,
            index,
            place,
        }
    }
}

impl Forest {
    /// Replaces the tree of a task.
    pub(in crate::runtime::dump) fn replace(&mut self, task: &mut TaskInfo, nodes: &[MergedNode]) {
        let first = self.nodes.len() as u32;
        let first_detail = self.details.len() as u32;
        for (number, node) in (first..).zip(nodes) {
            let entry = match *node {
                MergedNode::Kept(kept) => self.keep(task, number, task.tree.nodes.start + kept),
                MergedNode::Function {
                    depth,
                    index,
                    place,
                } => NodeEntry {
                    place: self.places.insert(place),
                    index: index.map_or(u32::MAX, |index| index as u32),
                    depth,
                    status: Status::Waiting,
                    is_inspected: false,
                },
            };
            self.nodes.push(entry);
        }
        task.tree = TreeRange {
            nodes: first..self.nodes.len() as u32,
            details: first_detail,
        };
    }

    /// Copies the facts of a node of a task to the node with the number `number`.
    fn keep(&mut self, task: &TaskInfo, number: u32, kept: u32) -> NodeEntry {
        let details: Vec<_> = self.details(task, kept).cloned().collect();
        let details = details.into_iter().map(|detail| (number, detail));
        self.details.extend(details);
        self.nodes[kept as usize]
    }
}
