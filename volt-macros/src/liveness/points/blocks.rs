//! The points of blocks, and the edges between them.

use syn::{Expr, Lifetime, Pat};

use super::point_graph::{Effect, Point, Points};
use crate::cfg::{BlockId, Branch, Cfg, End, Step};
use crate::hir::{AwaitId, Body, ExprId, Let, LocalId, Use};

/// Lists the points of a function.
pub(in crate::liveness) fn draw(body: &Body, cfg: &Cfg) -> Points {
    let mut walk = PointBuilder {
        body,
        cfg,
        points: Points {
            operand: vec![0..0; body.awaits.len()],
            ..Points::default()
        },
        at: None,
        targets: Vec::new(),
        nested: None,
        expr: ExprId(0),
        counted: vec![0; body.locals.len()],
    };
    let entry = cfg.blocks.iter().map(|_| walk.point(Effect::Nothing));
    walk.points.entry = entry.collect();
    for block in 0..cfg.blocks.len() {
        walk.block(BlockId(block));
    }
    walk.points
}

/// A loop or block of a leaf expression.
pub(in crate::liveness) struct LeafTarget {
    pub(in crate::liveness) label: Option<Lifetime>,
    pub(in crate::liveness) head: Option<usize>,
    pub(in crate::liveness) after: usize,
}

pub(in crate::liveness) struct PointBuilder<'b> {
    pub(in crate::liveness) body: &'b Body,
    pub(in crate::liveness) cfg: &'b Cfg,
    pub(in crate::liveness) points: Points,
    /// The previous point, if the next one can be reached.
    pub(in crate::liveness) at: Option<usize>,
    pub(in crate::liveness) targets: Vec<LeafTarget>,
    /// In a closure or `async` block: `true` if it captures by move.
    pub(in crate::liveness) nested: Option<bool>,
    /// The current expression, and the number of uses of each local in it so far.
    pub(in crate::liveness) expr: ExprId,
    pub(in crate::liveness) counted: Vec<usize>,
}

impl PointBuilder<'_> {
    pub(in crate::liveness) fn push(&mut self, effect: Effect) -> usize {
        let point = self.point(effect);
        self.lead(point);
        self.at = Some(point);
        point
    }

    pub(in crate::liveness) fn point(&mut self, effect: Effect) -> usize {
        self.points.all.push(Point {
            effect,
            next: Vec::new(),
        });
        self.points.all.len() - 1
    }

    pub(in crate::liveness) fn lead(&mut self, to: usize) {
        if let Some(at) = self.at {
            self.points.all[at].next.push(to);
        }
    }

    pub(in crate::liveness) fn leave(&mut self, to: usize) {
        self.lead(to);
        self.at = None;
    }

    pub(in crate::liveness) fn block(&mut self, id: BlockId) {
        self.at = Some(self.points.entry[id.0]);
        let awaited = self.cfg.awaited_before(id);
        self.begins(awaited.map(|id| &self.body.awaits[id.0].output));
        let block = &self.cfg.blocks[id.0];
        block.steps.iter().for_each(|step| self.step(step));
        match &block.end {
            End::Goto(to) => self.leave(self.points.entry[to.0]),
            End::Branches { on, branches } => match &branches[..] {
                [then, otherwise] if then.pat.is_none() => self.if_else(*on, then, otherwise),
                arms => self.arms(*on, arms),
            },
            End::Suspend { id, resume, .. } => self.suspend(*id, *resume),
            End::Return(value) => self.return_(*value),
            End::Never => self.at = None,
        }
    }

    fn if_else(&mut self, condition: ExprId, then: &Branch, otherwise: &Branch) {
        let other = self.point(Effect::Nothing);
        self.begin_expr(condition);
        self.condition(&self.body.exprs[condition.0], other);
        self.branch(then);
        self.at = Some(other);
        self.branch(otherwise);
    }

    fn arms(&mut self, scrutinee: ExprId, arms: &[Branch]) {
        let pats: Vec<_> = arms.iter().filter_map(|arm| arm.pat.as_ref()).collect();
        self.begin_expr(scrutinee);
        let matched = self.scrutinee(&self.body.exprs[scrutinee.0], &pats, false);
        let mut begin = self.push(Effect::Nothing);
        for (index, arm) in arms.iter().enumerate() {
            self.at = Some(begin);
            self.begins(&arm.binds);
            if let Some(guard) = arm.guard {
                self.expr_id(guard);
                // The next arm begins here, too.
                begin = self.push(Effect::Nothing);
                self.push(Effect::Nothing);
            }
            self.in_arm(&matched, index);
            self.branch_steps(arm);
        }
    }

    fn suspend(&mut self, id: AwaitId, resume: BlockId) {
        let begin = self.push(Effect::Nothing);
        self.expr_id(self.body.awaits[id.0].operand);
        let end = self.push(Effect::Nothing);
        self.points.operand[id.0] = begin..end + 1;
        self.leave(self.points.entry[resume.0]);
    }

    fn return_(&mut self, value: Option<ExprId>) {
        value.into_iter().for_each(|value| self.expr_id(value));
        self.at = None;
    }

    pub(in crate::liveness) fn branch(&mut self, branch: &Branch) {
        self.begins(&branch.binds);
        self.branch_steps(branch);
    }

    pub(in crate::liveness) fn branch_steps(&mut self, branch: &Branch) {
        branch.steps.iter().for_each(|step| self.step(step));
        if let Some(to) = branch.to {
            self.lead(self.points.entry[to.0]);
        }
        self.at = None;
    }

    pub(in crate::liveness) fn begins<'l>(&mut self, binds: impl IntoIterator<Item = &'l LocalId>) {
        for local in binds {
            self.push(Effect::Begin(*local, true));
        }
    }

    pub(in crate::liveness) fn step(&mut self, step: &Step) {
        match step {
            Step::Let(node) => self.let_step(node),
            Step::Set { local, value } => {
                self.expr_id(*value);
                self.begins([local]);
            }
            Step::Eval(value) => self.expr_id(*value),
            Step::Return(value) => self.return_(*value),
        }
    }

    fn let_step(&mut self, node: &Let<ExprId>) {
        let Some(value) = node.value else {
            for local in &node.binds {
                self.push(Effect::Begin(*local, false));
            }
            return;
        };
        self.begin_expr(value);
        let value = &self.body.exprs[value.0];
        let otherwise = node.otherwise;
        let otherwise = otherwise.map(|id| move |builder: &mut Self| builder.expr_id(id));
        self.let_(value, &node.pat, otherwise);
        self.begins(&node.binds);
    }

    /// Adds the points of a pattern that is matched on a value. `otherwise` adds the points of the
    /// path on which it does not match. The walk continues on the other path.
    pub(in crate::liveness) fn let_(
        &mut self,
        value: &Expr,
        pat: &Pat,
        otherwise: Option<impl FnOnce(&mut Self)>,
    ) {
        let matched = self.scrutinee(value, &[pat], otherwise.is_some());
        if let Some(walk) = otherwise {
            let begin = self.push(Effect::Nothing);
            self.in_arm(&matched, 1);
            walk(self);
            self.at = Some(begin);
        }
        self.in_arm(&matched, 0);
    }

    pub(in crate::liveness) fn expr_id(&mut self, id: ExprId) {
        self.begin_expr(id);
        let body = self.body;
        self.expr(&body.exprs[id.0], Use::Value);
    }

    pub(in crate::liveness) fn begin_expr(&mut self, id: ExprId) {
        self.expr = id;
        self.counted.fill(0);
    }
}
