//! Expressions that never give a value, as far as that shows.

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAsync, ExprBreak, ExprClosure, ExprLoop, Item, Lifetime, Stmt};

use crate::hir::jump_of;
use crate::names::panics;

/// Whether nothing comes behind the expression.
pub(super) fn diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Paren(node) => diverges(&node.expr),
        Expr::Cast(node) => diverges(&node.expr),
        Expr::Block(node) => node.label.is_none() && block_diverges(&node.block),
        Expr::If(node) => {
            let otherwise = node.else_branch.as_ref();
            block_diverges(&node.then_branch) && otherwise.is_some_and(|(_, it)| diverges(it))
        }
        Expr::Match(node) => {
            !node.arms.is_empty() && node.arms.iter().all(|arm| diverges(&arm.body))
        }
        Expr::Loop(node) => !has_break(node),
        Expr::Macro(node) => jump_of(&node.mac).is_some() || panics(&node.mac),
        _ => false,
    }
}

fn block_diverges(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Expr(expr, _) => diverges(expr),
        Stmt::Local(local) => local.init.as_ref().is_some_and(|init| diverges(&init.expr)),
        Stmt::Item(_) | Stmt::Macro(_) => false,
    })
}

/// Whether anything leaves the loop by `break`.
fn has_break(node: &ExprLoop) -> bool {
    let mut breaks = Breaks {
        label: node.label.as_ref().map(|label| &label.name),
        depth: 0,
        found: false,
    };
    breaks.visit_block(&node.body);
    breaks.found
}

/// Looks for a `break` of a loop.
struct Breaks<'l> {
    label: Option<&'l Lifetime>,
    /// How many loops within that one are around.
    depth: usize,
    found: bool,
}

impl<'ast> Visit<'ast> for Breaks<'_> {
    fn visit_expr_break(&mut self, node: &'ast ExprBreak) {
        self.found |= match &node.label {
            Some(label) => Some(label) == self.label,
            None => self.depth == 0,
        };
        visit::visit_expr_break(self, node);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let is_loop = matches!(expr, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
        self.depth += usize::from(is_loop);
        visit::visit_expr(self, expr);
        self.depth -= usize::from(is_loop);
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}
