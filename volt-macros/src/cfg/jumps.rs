//! The jumps in a block's expressions.

use syn::visit::Visit;
use syn::{Expr, Macro};

use super::graph::{Block, End, Step};
use crate::hir::{Body, ExprId, jump_of};
use crate::syntax::Arguments;

/// Whether a jump stands in the expression.
pub(crate) fn holds_jump(expr: &Expr) -> bool {
    let mut jumps = Jumps(Vec::new());
    jumps.visit_expr(expr);
    !jumps.0.is_empty()
}

impl Block {
    /// The numbers of the jumps that start in the block.
    pub(crate) fn jumps(&self, body: &Body) -> Vec<usize> {
        let mut jumps = Jumps(Vec::new());
        for expr in self.exprs() {
            jumps.visit_expr(&body.exprs[expr.0]);
        }
        jumps.0
    }

    /// The expressions of the block, except for the awaited one.
    pub(crate) fn exprs(&self) -> Vec<ExprId> {
        let mut exprs: Vec<_> = self.steps.iter().flat_map(Step::exprs).collect();
        match &self.end {
            End::If { condition, .. } => exprs.push(*condition),
            End::Match { scrutinee, .. } => exprs.push(*scrutinee),
            End::Return(value) => exprs.extend(value),
            End::Goto(_) | End::Suspend { .. } | End::Never => {}
        }
        for branch in self.branches() {
            exprs.extend(branch.guard);
            exprs.extend(branch.steps.iter().flat_map(Step::exprs));
        }
        exprs
    }
}

struct Jumps(Vec<usize>);

impl<'ast> Visit<'ast> for Jumps {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some((number, value)) = jump_of(mac) {
            self.0.push(number);
            value.iter().for_each(|value| self.visit_expr(value));
        } else if let Some(arguments) = Arguments::of(mac) {
            arguments
                .exprs
                .iter()
                .for_each(|expr| self.visit_expr(expr));
        }
    }
}
