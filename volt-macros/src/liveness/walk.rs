//! From block to block: the skeleton of the points.

use std::collections::{BTreeMap, BTreeSet};

use syn::Lifetime;

use super::given::receiver;
use super::matched::Matched;
use super::points::{Bound, Effect, Point, Points};
use crate::cfg::{BlockId, Branch, Cfg, End, Step};
use crate::hir::{Body, ExprId, LocalId, Use};

/// Draws the points of a function.
pub(super) fn draw(body: &Body, cfg: &Cfg) -> Points {
    let entry = 0..cfg.blocks.len();
    let empty = || Point {
        effect: Effect::Nothing,
        next: Vec::new(),
    };
    let mut walk = Walk {
        body,
        cfg,
        points: Points {
            all: entry.clone().map(|_| empty()).collect(),
            entry: entry.collect(),
            operand: vec![None; body.awaits.len()],
            methods: BTreeMap::new(),
            asked: BTreeSet::new(),
            twice: BTreeSet::new(),
            direct: BTreeSet::new(),
            parts: BTreeMap::new(),
            refilled: BTreeSet::new(),
            events: BTreeSet::new(),
            split: Vec::new(),
            uses: BTreeMap::new(),
        },
        at: None,
        targets: Vec::new(),
        nested: None,
        expr: ExprId(0),
        counted: vec![0; body.locals.len()],
        statement: 0,
        bound: Bound::Nobody,
    };
    for block in 0..cfg.blocks.len() {
        walk.block(BlockId(block));
    }
    walk.points
}

/// A loop or block of an expression that stays whole.
pub(super) struct Target {
    pub(super) label: Option<Lifetime>,
    pub(super) head: Option<usize>,
    pub(super) after: usize,
}

pub(super) struct Walk<'b> {
    pub(super) body: &'b Body,
    pub(super) cfg: &'b Cfg,
    pub(super) points: Points,
    /// The point before, if the next one can be reached.
    pub(super) at: Option<usize>,
    pub(super) targets: Vec<Target>,
    /// In a closure or `async` block: whether it takes what it names.
    pub(super) nested: Option<bool>,
    /// The expression at hand, and how many uses of each local there were in it.
    pub(super) expr: ExprId,
    pub(super) counted: Vec<usize>,
    /// The number of the statement at hand, and which local may hold what it borrows.
    pub(super) statement: usize,
    pub(super) bound: Bound,
}

impl Walk<'_> {
    pub(super) fn push(&mut self, effect: Effect) -> usize {
        let point = self.point(effect);
        self.lead(point);
        self.at = Some(point);
        point
    }

    pub(super) fn point(&mut self, effect: Effect) -> usize {
        self.points.all.push(Point {
            effect,
            next: Vec::new(),
        });
        self.points.all.len() - 1
    }

    pub(super) fn lead(&mut self, to: usize) {
        if let Some(at) = self.at {
            self.points.all[at].next.push(to);
        }
    }

    pub(super) fn leave(&mut self, to: usize) {
        self.lead(to);
        self.at = None;
    }

    pub(super) fn block(&mut self, id: BlockId) {
        self.at = Some(self.points.entry[id.0]);
        for output in self.outputs_at(id) {
            self.push(Effect::Begin(output, true));
        }
        let block = &self.cfg.blocks[id.0];
        block.steps.iter().for_each(|step| self.step(step));
        match &block.end {
            End::Goto(to) => self.leave(self.points.entry[to.0]),
            End::If {
                condition,
                then,
                otherwise,
            } => {
                let other = self.point(Effect::Nothing);
                self.begin_expr(*condition);
                self.condition(&self.body.exprs[condition.0], other);
                self.branch(then);
                self.at = Some(other);
                self.branch(otherwise);
            }
            End::Match { scrutinee, arms } => {
                let pats: Vec<_> = arms.iter().filter_map(|arm| arm.pat.as_ref()).collect();
                self.begin_expr(*scrutinee);
                let matched = self.scrutinee(&self.body.exprs[scrutinee.0], &pats, false);
                let mut begin = self.push(Effect::Nothing);
                for (index, arm) in arms.iter().enumerate() {
                    self.at = Some(begin);
                    self.begins(&arm.binds);
                    if let Some(guard) = arm.guard {
                        self.expr_id(guard);
                        begin = self.push(Effect::Nothing);
                        let chosen = self.point(Effect::Nothing);
                        self.lead(chosen);
                        self.at = Some(chosen);
                    }
                    self.in_arm(&matched, index);
                    self.branch_steps(arm);
                }
            }
            End::Suspend { id, resume } => {
                let begin = self.push(Effect::Nothing);
                self.expr_id(self.body.awaits[id.0].operand);
                let end = self.push(Effect::Nothing);
                self.points.operand[id.0] = Some((begin, end));
                self.leave(self.points.entry[resume.0]);
            }
            End::Return(value) => {
                value.iter().for_each(|value| self.expr_id(*value));
                self.at = None;
            }
            End::Never => self.at = None,
        }
    }

    pub(super) fn outputs_at(&self, id: BlockId) -> Vec<LocalId> {
        let ends = self.cfg.blocks.iter().filter_map(|block| match block.end {
            End::Suspend { id: waits, resume } if resume == id => Some(waits),
            _ => None,
        });
        ends.map(|waits| self.body.awaits[waits.0].output).collect()
    }

    pub(super) fn branch(&mut self, branch: &Branch) {
        self.begins(&branch.binds);
        self.branch_steps(branch);
    }

    pub(super) fn branch_steps(&mut self, branch: &Branch) {
        branch.steps.iter().for_each(|step| self.step(step));
        if let Some(to) = branch.to {
            self.lead(self.points.entry[to.0]);
        }
        self.at = None;
    }

    pub(super) fn begins(&mut self, binds: &[LocalId]) {
        for local in binds {
            self.push(Effect::Begin(*local, true));
        }
    }

    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Let {
                pat,
                value,
                otherwise,
                binds,
                ..
            } => {
                let has_value = value.is_some();
                let mut matched = Matched::default();
                if let Some(value) = value {
                    self.begin_expr(*value);
                    let has_else = otherwise.is_some();
                    matched = self.scrutinee(&self.body.exprs[value.0], &[pat], has_else);
                }
                if let Some(otherwise) = otherwise {
                    let begin = self.push(Effect::Nothing);
                    self.in_arm(&matched, 1);
                    self.expr_id(*otherwise);
                    self.at = Some(begin);
                }
                self.in_arm(&matched, 0);
                for local in binds {
                    self.push(Effect::Begin(*local, has_value));
                }
            }
            Step::Set { local, value } => {
                self.bound(Bound::Anybody, |this| this.expr_id(*value));
                self.push(Effect::Begin(*local, true));
            }
            Step::Eval(value) => {
                let to = receiver(self.body, &self.body.exprs[value.0]);
                self.bound(to, |this| this.expr_id(*value));
            }
            Step::Return(value) => {
                value.iter().for_each(|value| self.expr_id(*value));
                self.at = None;
            }
        }
    }

    pub(super) fn expr_id(&mut self, id: ExprId) {
        self.begin_expr(id);
        let body = self.body;
        self.expr(&body.exprs[id.0], Use::Value);
    }

    /// Walks through what a local may hold.
    pub(super) fn bound(&mut self, to: Bound, walk: impl FnOnce(&mut Self)) {
        let to = match self.bound {
            Bound::Nobody => to,
            _ => Bound::Anybody,
        };
        let before = std::mem::replace(&mut self.bound, to);
        walk(self);
        self.bound = before;
    }

    pub(super) fn begin_expr(&mut self, id: ExprId) {
        self.expr = id;
        self.counted.fill(0);
        self.statement += 1;
    }
}
