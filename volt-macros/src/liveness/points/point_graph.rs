//! The graph of points.
//!
//! An edge leads to the point that is evaluated next. Branches of leaf expressions have points,
//! too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::Span;
use quote::ToTokens;

use crate::cfg::BlockId;
use crate::hir::{Body, ExprId, LocalId, MatchedPart, ReceiverQuery, Use};
use crate::liveness::result::Claim;
use crate::names::ident_span;

/// The effect of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::liveness) enum Effect {
    Nothing,
    Use(LocalId, Use),
    /// A declaration, with a value or without.
    Begin(LocalId, bool),
}

/// A point.
#[derive(Debug)]
pub(in crate::liveness) struct Point {
    pub(in crate::liveness) effect: Effect,
    pub(in crate::liveness) next: Vec<usize>,
}

/// All points.
#[derive(Debug, Default)]
pub(in crate::liveness) struct Points {
    pub(in crate::liveness) all: Vec<Point>,
    /// The first point of each block.
    pub(in crate::liveness) entry: Vec<usize>,
    /// The points of each await's operand. The range is empty if the await is not reached.
    pub(in crate::liveness) operand: Vec<Range<usize>>,
    /// The uses that can be queries: method calls whose arguments contain no jump, and parts that
    /// are values.
    pub(in crate::liveness) queryable: BTreeSet<usize>,
    /// The queryable uses that can be written twice, because they have no temporaries.
    pub(in crate::liveness) repeatable: BTreeSet<usize>,
    /// The receivers of methods that return an owned value, by their names.
    pub(in crate::liveness) owned_calls: BTreeSet<usize>,
    /// The points at which a whole local is borrowed: `&x`.
    pub(in crate::liveness) borrowed_whole: BTreeSet<usize>,
    /// The used fields, by the points of the uses.
    pub(in crate::liveness) parts: BTreeMap<usize, String>,
    /// The points at which a logging macro contains a call with the local.
    pub(in crate::liveness) events: BTreeSet<usize>,
    /// Locals that are matched, or of which a part is matched.
    pub(in crate::liveness) matched: BTreeSet<LocalId>,
    /// The claims about uses that may move a part, by the points of the uses.
    pub(in crate::liveness) claims: BTreeMap<usize, (ReceiverQuery, Claim)>,
    /// The parts that patterns of claims may leave.
    pub(in crate::liveness) patterns: Vec<Vec<MatchedPart>>,
    /// The expression of each use, and the number of the use in it, by the points of the uses.
    pub(in crate::liveness) uses: BTreeMap<usize, Occurrence>,
}

/// A use of a local.
#[derive(Clone, Copy, Debug)]
pub(in crate::liveness) struct Occurrence {
    pub(in crate::liveness) expr: ExprId,
    pub(in crate::liveness) number: usize,
    /// `true` in a closure or an `async` block.
    pub(in crate::liveness) is_nested: bool,
}

impl Points {
    /// The points of a block.
    pub(in crate::liveness) fn of(&self, block: BlockId) -> Vec<usize> {
        let mut found = vec![self.entry[block.0]];
        let mut index = 0;
        while let Some(point) = found.get(index) {
            for next in self.all[*point].next.clone() {
                if !self.entry.contains(&next) && !found.contains(&next) {
                    found.push(next);
                }
            }
            index += 1;
        }
        found
    }

    /// The local that is used at a point, and the use.
    pub(in crate::liveness) fn used(&self, at: usize) -> Option<(LocalId, Use)> {
        match self.all[at].effect {
            Effect::Use(local, used) => Some((local, used)),
            _ => None,
        }
    }

    /// Returns `true` if a local is used at a point.
    pub(in crate::liveness) fn is_used(&self, at: usize, local: LocalId) -> bool {
        self.used(at).is_some_and(|(used, _)| used == local)
    }

    /// The place of the first use of a local that satisfies a predicate.
    pub(in crate::liveness) fn place_of_use(
        &self,
        body: &Body,
        local: LocalId,
        is_such: impl Fn(usize) -> bool,
    ) -> Option<Span> {
        let mut uses = self.uses.iter();
        let (_, used) = uses.find(|(at, _)| self.is_used(**at, local) && is_such(**at))?;
        let expr = body.exprs[used.expr.0].to_token_stream();
        ident_span(expr, &body.locals[local.0].ident, used.number)
    }

    /// Returns `true` if a use of a part certainly leaves it in place: the part, or the whole
    /// local, is used again without an assignment in between.
    pub(in crate::liveness) fn leaves_part(&self, at: usize, local: LocalId) -> bool {
        let part = self.parts.get(&at);
        let mut seen = vec![false; self.all.len()];
        let mut open = self.all[at].next.clone();
        while let Some(point) = open.pop() {
            if std::mem::replace(&mut seen[point], true) {
                continue;
            }
            match (self.all[point].effect, self.parts.get(&point)) {
                (Effect::Begin(other, _) | Effect::Use(other, _), _) if other != local => {}
                (Effect::Begin(..) | Effect::Use(_, Use::Assigned), _) => continue,
                (Effect::Use(_, Use::Mutable), Some(_)) => continue,
                (Effect::Use(..), again) if again.is_none() || again == part => return true,
                _ => {}
            }
            open.extend(&self.all[point].next);
        }
        false
    }

    /// Inserts a point after another one.
    pub(in crate::liveness) fn insert_after(&mut self, at: usize, effect: Effect) -> usize {
        let after = self.all.len();
        let next = std::mem::replace(&mut self.all[at].next, vec![after]);
        self.all.push(Point { effect, next });
        after
    }
}
