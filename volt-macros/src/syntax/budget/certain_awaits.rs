//! The awaits that code passes each time it runs to its end.

use syn::visit::{self, Visit};
use syn::{
    BinOp, Expr, ExprAsync, ExprAwait, ExprBinary, ExprClosure, ExprConst, ExprForLoop, ExprIf,
    ExprLoop, ExprMatch, ExprWhile, Item, LocalInit, Macro, Stmt,
};

use super::super::macros::visible_awaits;
use super::awaiting_macros::awaits_in_place;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CertainAwaits {
    pub(super) has_await: bool,
    /// `true` if there is a macro that awaits.
    pub(super) has_macro: bool,
}

impl CertainAwaits {
    pub(super) fn of_expr(expr: &Expr) -> Self {
        let mut certain = Self::default();
        certain.visit_expr(expr);
        certain
    }

    pub(super) fn of_stmt(stmt: &Stmt) -> Self {
        let mut certain = Self::default();
        certain.visit_stmt(stmt);
        certain
    }
}

impl<'ast> Visit<'ast> for CertainAwaits {
    fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
        self.has_await = true;
        visit::visit_expr_await(self, node);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        match visible_awaits(mac) {
            Some(arguments) => {
                let conditions = arguments.conditions().unwrap_or(usize::MAX);
                let certain = arguments.values().take(conditions);
                certain.for_each(|value| self.visit_expr(value));
            }
            None => self.has_macro |= awaits_in_place(mac),
        }
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        self.visit_expr(&node.cond);
    }

    fn visit_expr_match(&mut self, node: &'ast ExprMatch) {
        self.visit_expr(&node.expr);
    }

    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        self.visit_expr(&node.left);
        if !matches!(node.op, BinOp::And(_) | BinOp::Or(_)) {
            self.visit_expr(&node.right);
        }
    }

    fn visit_local_init(&mut self, node: &'ast LocalInit) {
        self.visit_expr(&node.expr);
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        self.visit_expr(&node.expr);
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        self.visit_expr(&node.cond);
    }

    fn visit_expr_loop(&mut self, _: &'ast ExprLoop) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_const(&mut self, _: &'ast ExprConst) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}
