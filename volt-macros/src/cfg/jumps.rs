//! How expressions are left: by a return, and by jumps to what was taken apart.

use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprBreak, ExprClosure, ExprReturn, ExprTry, Macro};

use crate::hir::jump_of;
use crate::syntax::Arguments;

/// How an expression is left.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    pub(crate) returns: bool,
    /// The numbers of its jumps.
    pub(crate) jumps: Vec<usize>,
}

impl Leaves {
    pub(crate) fn of(expr: &Expr) -> Self {
        let mut leaves = Self::default();
        leaves.visit_expr(expr);
        leaves
    }
}

impl<'ast> Visit<'ast> for Leaves {
    fn visit_expr_return(&mut self, _: &'ast ExprReturn) {
        self.returns = true;
    }

    fn visit_expr_try(&mut self, node: &'ast ExprTry) {
        self.returns = true;
        self.visit_expr(&node.expr);
    }

    fn visit_expr_break(&mut self, node: &'ast ExprBreak) {
        self.jumps.extend(jump_of(node));
        visit::visit_expr_break(self, node);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(arguments) = Arguments::of(mac) {
            arguments.exprs.iter().for_each(|it| self.visit_expr(it));
        }
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
}
