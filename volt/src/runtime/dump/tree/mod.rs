//! The trees of futures in the tasks of a dump.
//!
//! An inspection of a task passes the nodes of its tree in depth-first order, and `tree_builder`
//! stores them. A `forest` has the nodes of all tasks in one list, and the place of each as an
//! index, so a node takes 12 bytes. The `positions` of machines are read from the same nodes.
//! `future_tree` adds a tree that another thread has made.

mod guard_types;
mod positions;
mod forest;
mod tree_builder;
mod future_tree;
#[cfg(feature = "inspect")]
mod merged_node;

pub use self::forest::TreeNode;
pub(super) use self::forest::{Detail, Forest, NodeEntry};
#[cfg(feature = "inspect")]
pub(super) use self::merged_node::MergedNode;
pub(super) use self::tree_builder::ValueLimit;
