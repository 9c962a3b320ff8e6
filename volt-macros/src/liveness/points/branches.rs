//! Points within branches, loops and blocks of leaf expressions.

use syn::{BinOp, Block, Expr, Label, Lifetime, Pat, Stmt};

use super::blocks::{LeafTarget, PointBuilder};
use super::point_graph::Effect;
use crate::hir::Use;

impl PointBuilder<'_> {
    pub(in crate::liveness) fn leave_target(&mut self, label: Option<&Lifetime>, again: bool) {
        let mut targets = self.targets.iter().rev();
        let found = targets.find(|target| match label {
            Some(label) => target.label.as_ref() == Some(label),
            None => target.head.is_some(),
        });
        if let Some(target) = found {
            let to = if again {
                target.head.unwrap_or(target.after)
            } else {
                target.after
            };
            self.leave(to);
        }
    }

    /// Adds a loop that begins at `head`. At `ends` it may end without a jump.
    fn turns(
        &mut self,
        label: Option<&Label>,
        head: usize,
        ends: Option<usize>,
        body: impl FnOnce(&mut Self),
    ) {
        let after = self.point(Effect::Nothing);
        if let Some(ends) = ends {
            self.points.all[ends].next.push(after);
        }
        let label = label.map(|label| &label.name);
        self.within_target(label, Some(head), after, body);
        self.leave(head);
        self.at = Some(after);
    }

    /// Adds a loop, or a block with a label, that jumps can leave.
    fn within_target(
        &mut self,
        label: Option<&Lifetime>,
        head: Option<usize>,
        after: usize,
        body: impl FnOnce(&mut Self),
    ) {
        let label = label.cloned();
        self.targets.push(LeafTarget { label, head, after });
        body(self);
        self.targets.pop();
    }

    pub(in crate::liveness) fn loop_(&mut self, node: &syn::ExprLoop) {
        let head = self.push(Effect::Nothing);
        self.turns(node.label.as_ref(), head, None, |builder| {
            builder.statements(&node.body);
        });
    }

    pub(in crate::liveness) fn for_loop(&mut self, node: &syn::ExprForLoop) {
        self.expr(&node.expr, Use::Value);
        let head = self.push(Effect::Nothing);
        self.turns(node.label.as_ref(), head, Some(head), |builder| {
            builder.statements(&node.body);
        });
    }

    pub(in crate::liveness) fn while_(&mut self, node: &syn::ExprWhile) {
        let head = self.push(Effect::Nothing);
        let ends = self.point(Effect::Nothing);
        self.turns(node.label.as_ref(), head, Some(ends), |builder| {
            builder.condition(&node.cond, ends);
            builder.statements(&node.body);
        });
    }

    /// Adds `a && b` or `a || b`. The right operand may be skipped.
    pub(in crate::liveness) fn lazy(&mut self, node: &syn::ExprBinary) {
        self.expr(&node.left, Use::Value);
        let left = self.push(Effect::Nothing);
        self.expr(&node.right, Use::Value);
        let join = self.push(Effect::Nothing);
        self.points.all[left].next.push(join);
    }

    pub(in crate::liveness) fn if_(&mut self, node: &syn::ExprIf) {
        let other = self.point(Effect::Nothing);
        let join = self.point(Effect::Nothing);
        self.condition(&node.cond, other);
        self.statements(&node.then_branch);
        self.leave(join);
        self.at = Some(other);
        if let Some((_, otherwise)) = &node.else_branch {
            self.expr(otherwise, Use::Value);
        }
        self.leave(join);
        self.at = Some(join);
    }

    /// Adds a condition. Each part of it may lead to `other`.
    pub(in crate::liveness) fn condition(&mut self, condition: &Expr, other: usize) {
        match condition {
            Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => {
                self.condition(&node.left, other);
                self.condition(&node.right, other);
            }
            Expr::Paren(node) => self.condition(&node.expr, other),
            Expr::Let(node) => {
                self.let_(
                    &node.expr,
                    &node.pat,
                    Some(|builder: &mut Self| builder.leave(other)),
                );
            }
            condition => {
                self.expr(condition, Use::Value);
                self.push(Effect::Nothing);
                self.lead(other);
            }
        }
    }

    pub(in crate::liveness) fn match_(&mut self, node: &syn::ExprMatch) {
        let pats: Vec<_> = node.arms.iter().map(|arm| unguarded(&arm.pat)).collect();
        let matched = self.scrutinee(&node.expr, &pats, false);
        let mut begin = self.push(Effect::Nothing);
        let join = self.point(Effect::Nothing);
        for (index, arm) in node.arms.iter().enumerate() {
            self.at = Some(begin);
            if let Pat::Guard(guarded) = &arm.pat {
                self.expr(&guarded.guard, Use::Value);
                // The next arm begins here, too.
                begin = self.push(Effect::Nothing);
                self.push(Effect::Nothing);
            }
            self.in_arm(&matched, index);
            self.expr(&arm.body, Use::Value);
            self.leave(join);
        }
        self.at = Some(join);
    }

    pub(in crate::liveness) fn block_expr(&mut self, label: Option<&Lifetime>, block: &Block) {
        let Some(label) = label else {
            return self.statements(block);
        };
        let after = self.point(Effect::Nothing);
        self.within_target(Some(label), None, after, |builder| {
            builder.statements(block)
        });
        self.leave(after);
        self.at = Some(after);
    }

    pub(in crate::liveness) fn statements(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Local(local) => self.local(local),
                Stmt::Expr(expr, _) => self.expr(expr, Use::Value),
                Stmt::Macro(node) => self.macro_(&node.mac),
                Stmt::Item(_) => {}
            }
        }
    }

    pub(in crate::liveness) fn local(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else { return };
        let pat = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pat => pat,
        };
        let otherwise = init.diverge.as_ref();
        let otherwise =
            otherwise.map(|(_, expr)| move |builder: &mut Self| builder.expr(expr, Use::Value));
        self.let_(&init.expr, pat, otherwise);
    }
}

fn unguarded(pat: &Pat) -> &Pat {
    match pat {
        Pat::Guard(guarded) => &guarded.pat,
        pat => pat,
    }
}
