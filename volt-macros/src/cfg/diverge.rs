//! Expressions that never give a value, as far as that shows.

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprBreak, Stmt};

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
fn has_break(node: &syn::ExprLoop) -> bool {
    struct Breaks<'l> {
        label: Option<&'l syn::Lifetime>,
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

        fn visit_expr_loop(&mut self, node: &'ast syn::ExprLoop) {
            self.depth += 1;
            visit::visit_expr_loop(self, node);
            self.depth -= 1;
        }

        fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
            self.depth += 1;
            visit::visit_expr_while(self, node);
            self.depth -= 1;
        }

        fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
            self.depth += 1;
            visit::visit_expr_for_loop(self, node);
            self.depth -= 1;
        }

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let label = node.label.as_ref().map(|label| &label.name);
    let mut breaks = Breaks {
        label,
        depth: 0,
        found: false,
    };
    breaks.visit_block(&node.body);
    breaks.found
}
