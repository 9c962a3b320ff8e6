//! `Position`: the states of nested machines, read from the nodes of a tree.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr;

use volt_inspect::Node;

use crate::loom::SharedSlice;
use crate::machine::State;
use crate::runtime::dump::place::AddressHasher;

/// Reads the position of a task from its tree, so that the task needs no second walk.
///
/// The position has the states of the machines from the root on, while each future awaits only one.
/// It continues through wrappers, such as a timeout, and ends at any other future.
#[derive(Clone, Debug, Default)]
pub(super) struct Position {
    states: Vec<&'static State>,
    /// The number of open nodes that belong to the position.
    depth: usize,
    is_over: bool,
    /// The walk has omitted a future that might continue the position.
    is_cut: bool,
}

impl Position {
    /// Begins the tree of another task.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        (self.depth, self.is_over, self.is_cut) = (0, false, false);
    }

    /// Records a node that has `depth` parents. `is_awaited` is `false` for a dormant future and
    /// for one of several children.
    pub(super) fn enter(&mut self, node: &Node, depth: usize, is_awaited: bool) {
        if self.is_over || depth > self.depth || !is_awaited {
            return;
        }
        if depth == self.depth && (node.state.is_some() || node.is_wrapper) {
            self.depth += 1;
            self.states.extend(node.state);
        } else {
            self.is_over = true;
        }
    }

    /// Records that the walk omits futures at its limits.
    pub(super) fn omit(&mut self) {
        self.is_cut |= !self.is_over;
    }

    /// Returns `false` if the position continues beyond the limits of the walk.
    pub(super) fn is_complete(&self) -> bool {
        !self.is_cut
    }

    /// Returns the states, the outermost first.
    pub(super) fn states(&self) -> &[&'static State] {
        &self.states
    }
}

/// The different positions of the tasks of a dump, each of which is stored once.
#[derive(Clone, Debug, Default)]
pub(super) struct PositionSet {
    by_hash: HashMap<u64, SharedSlice<&'static State>, BuildHasherDefault<AddressHasher>>,
}

impl PositionSet {
    /// Returns the shared copy of a position.
    pub(super) fn share(&mut self, states: &[&'static State]) -> SharedSlice<&'static State> {
        if states.is_empty() {
            return SharedSlice::default();
        }
        let mut hasher = AddressHasher::default();
        for state in states {
            hasher.write_usize(ptr::from_ref(*state).addr());
        }
        let shared = self.by_hash.entry(hasher.finish());
        let shared = shared.or_insert_with(|| states.into());
        if is_same(shared, states) {
            SharedSlice::clone(shared)
        } else {
            // Two positions have the same hash.
            states.into()
        }
    }
}

fn is_same(left: &[&'static State], right: &[&'static State]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| ptr::eq(*left, *right))
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use volt_inspect::{Inspector, MAX_DEPTH, Node, Status};

    use super::{PositionSet, SharedSlice};
    use crate::machine::State;
    use crate::runtime::dump::tree::{Forest, ValueLimit};

    static OUTER: State = State::new("Outer", 1, "await inner", ("outer.rs", 1, 1), &[]);
    static INNER: State = State::new("Inner", 1, "await race", ("inner.rs", 2, 1), &[]);

    fn forest(walk: impl FnOnce(&mut Inspector<'_>)) -> Forest {
        let mut forest = Forest::default();
        let added = forest.add(ValueLimit::None, |visitor| {
            walk(&mut Inspector::new(visitor));
        });
        assert!(added.is_some());
        forest
    }

    fn machine(inspector: &mut Inspector<'_>, state: &'static State) {
        inspector.node(&Node::of_state(state), |_| ());
    }

    #[test]
    fn position_continues_through_wrappers_only() {
        let forest = forest(|inspector| {
            inspector.node(&Node::of_state(&OUTER), |inspector| {
                inspector.node(&Node::new("Timeout").wrapper(), |inspector| {
                    inspector.node(&Node::of_state(&INNER), |inspector| {
                        inspector.node(&Node::new("Map"), |inspector| machine(inspector, &OUTER));
                    });
                });
                machine(inspector, &OUTER);
            });
        });
        assert_eq!(forest.position.states(), [&OUTER, &INNER]);
        assert!(forest.position.is_complete());
    }

    #[test]
    fn position_ends_at_one_of_several_children() {
        let forest = forest(|inspector| {
            inspector.node(&Node::of_state(&OUTER), |inspector| {
                inspector.as_child(0, Status::Waiting, |inspector| machine(inspector, &INNER));
            });
        });
        assert_eq!(forest.position.states(), [&OUTER]);
    }

    #[test]
    fn position_ignores_dormant_futures() {
        let forest = forest(|inspector| {
            inspector.node(&Node::of_state(&OUTER), |inspector| {
                inspector.as_dormant("held", |inspector| machine(inspector, &OUTER));
                machine(inspector, &INNER);
            });
        });
        assert_eq!(forest.position.states(), [&OUTER, &INNER]);
    }

    #[test]
    fn position_beyond_the_limit_is_not_complete() {
        fn nest(inspector: &mut Inspector<'_>, depth: usize) {
            inspector.node(&Node::of_state(&OUTER), |inspector| {
                if depth > 1 {
                    nest(inspector, depth - 1);
                }
            });
        }
        let deepest = forest(|inspector| nest(inspector, MAX_DEPTH));
        assert!(deepest.position.is_complete());
        assert_eq!(deepest.position.states().len(), MAX_DEPTH);
        let deeper = forest(|inspector| nest(inspector, MAX_DEPTH + 1));
        assert!(!deeper.position.is_complete());
    }

    #[test]
    fn equal_positions_share_one_list() {
        let mut set = PositionSet::default();
        let first = set.share(&[&OUTER, &INNER]);
        assert!(SharedSlice::ptr_eq(&first, &set.share(&[&OUTER, &INNER])));
        let reversed = set.share(&[&INNER, &OUTER]);
        assert_eq!(*reversed, [&INNER, &OUTER]);
        assert!(set.share(&[]).is_empty());
    }
}
