//! Trees of futures that are not tasks, each in an arena of its own at first.

use std::pin::Pin;

use volt_inspect::Inspector;

use super::forest::{Forest, NodeEntry};
use super::tree_builder::ValueLimit;
use crate::loom::SharedSlice;
use crate::machine::State;
use crate::task::TreeRange;

impl Forest {
    /// Inspects a future that is not a task, and stores its tree. Returns the tree and the
    /// position, or `None` if an implementation of `Inspect` panics.
    pub(in crate::runtime::dump) fn inspect_future<F>(
        &mut self,
        future: Pin<&mut F>,
        values: ValueLimit,
    ) -> Option<(TreeRange, SharedSlice<&'static State>)> {
        let added = self.add(values, |visitor| Inspector::new(visitor).future(future));
        let ((), tree) = added?;
        let states = if self.position.is_complete() {
            self.position.states()
        } else {
            &[]
        };
        Some((tree, self.positions.share(states)))
    }

    /// Adds the tree of an arena that has no other one.
    pub(in crate::runtime::dump) fn append(&mut self, other: &Self, tree: &TreeRange) -> TreeRange {
        let (first, first_detail) = (self.nodes.len() as u32, self.details.len() as u32);
        let nodes = &other.nodes[tree.nodes.start as usize..tree.nodes.end as usize];
        for node in nodes {
            let place = self.places.insert(other.places.get(node.place));
            self.nodes.push(NodeEntry { place, ..*node });
        }
        let details = other.details[tree.details as usize..].iter().cloned();
        let moved = details.map(|(node, detail)| (node - tree.nodes.start + first, detail));
        self.details.extend(moved);
        TreeRange {
            nodes: first..self.nodes.len() as u32,
            details: first_detail,
        }
    }
}
