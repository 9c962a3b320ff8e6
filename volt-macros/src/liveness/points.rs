//! The points of a function: every use of a local, in the order of evaluation.
//!
//! Blocks are the skeleton; here is what happens within and between them, branches of expressions that
//! stay whole included.

use std::collections::{BTreeMap, BTreeSet};

use crate::hir::{ExprId, LocalId, Use};

/// What happens at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    Use(LocalId, Use),
    /// A declaration, with a value or without.
    Begin(LocalId, bool),
}

/// A point.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) effect: Effect,
    pub(super) next: Vec<usize>,
}

/// All points.
#[derive(Debug)]
pub(super) struct Points {
    pub(super) all: Vec<Point>,
    /// Where each block begins.
    pub(super) entry: Vec<usize>,
    /// Where each await's operand begins and ends.
    pub(super) operand: Vec<Option<(usize, usize)>>,
    /// The methods that are called on locals, by the points of the uses.
    pub(super) methods: BTreeMap<usize, String>,
    /// Those of them whose arguments leave nothing: whether they take the local can be asked.
    pub(super) asked: BTreeSet<usize>,
    /// Those of them that may be written twice: no temporary of theirs is noticed.
    pub(super) twice: BTreeSet<usize>,
    /// The points at which a local itself is borrowed: `&x`.
    pub(super) direct: BTreeSet<usize>,
    /// The fields that are used and not their locals, by the points of the uses.
    pub(super) parts: BTreeMap<usize, String>,
    /// The points at which an event that is logged calls something with the local.
    pub(super) events: BTreeSet<usize>,
    /// Locals that patterns take in some branches only.
    pub(super) split: Vec<LocalId>,
    /// Where the uses stand: by their points, the expression and which of the local's uses in it.
    pub(super) uses: BTreeMap<usize, Occurrence>,
}

/// A use of a local.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) expr: ExprId,
    pub(super) number: usize,
    /// Whether it stands in a closure or an `async` block.
    pub(super) is_nested: bool,
}

impl Points {
    /// Whether what is used at a point is used again behind it.
    pub(super) fn is_used_again(&self, at: usize, local: LocalId) -> bool {
        let part = self.parts.get(&at).map_or("", String::as_str);
        let mut seen = vec![false; self.all.len()];
        let mut open = self.all[at].next.clone();
        while let Some(point) = open.pop() {
            if std::mem::replace(&mut seen[point], true) {
                continue;
            }
            match self.all[point].effect {
                Effect::Begin(other, _) | Effect::Use(other, Use::Assigned) if other == local => {}
                Effect::Use(other, _) if other == local && self.overlaps(point, part) => {
                    return true;
                }
                _ => open.extend(&self.all[point].next),
            }
        }
        false
    }

    /// Adds a point behind another one.
    pub(super) fn insert_behind(&mut self, at: usize, effect: Effect) {
        let next = vec![self.all.len()];
        let next = std::mem::replace(&mut self.all[at].next, next);
        self.all.push(Point { effect, next });
    }

    fn overlaps(&self, at: usize, part: &str) -> bool {
        let other = self.parts.get(&at).map_or("", String::as_str);
        let within = |whole: &str, part: &str| {
            let rest = part.strip_prefix(whole);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        within(part, other) || within(other, part)
    }
}
