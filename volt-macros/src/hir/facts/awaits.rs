//! Awaits of the function itself, which are not in closures, `async` blocks or items.

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAsync, ExprAwait, ExprClosure, Item, Macro, Stmt};

use crate::syntax::Arguments;

struct HasAwait(bool);

impl<'ast> Visit<'ast> for HasAwait {
    fn visit_expr_await(&mut self, _: &'ast ExprAwait) {
        self.0 = true;
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(arguments) = Arguments::of(mac) {
            arguments
                .exprs
                .iter()
                .for_each(|argument| self.visit_expr(argument));
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if !self.0 {
            visit::visit_expr(self, expr);
        }
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Returns `true` if the function awaits in the visited code.
fn finds_await(visit: impl FnOnce(&mut HasAwait)) -> bool {
    let mut awaits = HasAwait(false);
    visit(&mut awaits);
    awaits.0
}

/// Returns `true` if the function awaits in the expression.
pub(crate) fn has_await(expr: &Expr) -> bool {
    finds_await(|awaits| awaits.visit_expr(expr))
}

/// Returns `true` if the function awaits in the block.
pub(crate) fn block_has_await(block: &Block) -> bool {
    finds_await(|awaits| awaits.visit_block(block))
}

/// Returns `true` if the function awaits in the statement.
pub(in crate::hir) fn stmt_has_await(stmt: &Stmt) -> bool {
    finds_await(|awaits| awaits.visit_stmt(stmt))
}
