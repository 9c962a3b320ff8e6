//! Whether code that awaits nothing ever comes to its end.
//!
//! Behind what does not, nothing is written: no jump, and no value. What is kept for those that do
//! is not there any more, as liveness sees the same.

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprBreak, ExprLoop, Label, Lifetime, Macro, Stmt};

use crate::state_machine::scope::holds_word;

/// Whether the expression leaves for elsewhere, or stays for ever, rather than having a value.
pub(super) fn leaves(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Paren(node) => leaves(&node.expr),
        Expr::Group(node) => leaves(&node.expr),
        Expr::Unsafe(node) => block_leaves(&node.block),
        Expr::Block(node) => {
            block_leaves(&node.block) && !breaks(node.label.as_ref(), true, &node.block)
        }
        Expr::Loop(node) => !breaks(node.label.as_ref(), false, &node.body),
        Expr::If(node) => {
            let otherwise = node.else_branch.as_ref();
            let both = otherwise
                .is_some_and(|(_, otherwise)| block_leaves(&node.then_branch) && leaves(otherwise));
            both || leaves(&node.cond)
        }
        Expr::Match(node) => {
            let mut arms = node.arms.iter();
            let all = !node.arms.is_empty() && arms.all(|arm| leaves(&arm.body));
            all || leaves(&node.expr)
        }
        _ => false,
    }
}

fn block_leaves(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Expr(expr, _) => leaves(expr),
        Stmt::Local(local) => local.init.as_ref().is_some_and(|init| leaves(&init.expr)),
        Stmt::Item(_) | Stmt::Macro(_) => false,
    })
}

/// Whether a `break` in the block leads behind what has this label, or no other loop around it.
fn breaks(label: Option<&Label>, inside: bool, block: &Block) -> bool {
    let mut breaks = Breaks {
        label: label.map(|label| &label.name),
        inside,
        found: false,
    };
    breaks.visit_block(block);
    breaks.found
}

struct Breaks<'a> {
    label: Option<&'a Lifetime>,
    /// Whether a `break` without a label means something else.
    inside: bool,
    found: bool,
}

impl Breaks<'_> {
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.inside, true);
        visit(self);
        self.inside = outside;
    }
}

impl<'ast> Visit<'ast> for Breaks<'_> {
    fn visit_expr_break(&mut self, node: &'ast ExprBreak) {
        self.found |= match &node.label {
            Some(label) => self.label == Some(label),
            None => !self.inside,
        };
        visit::visit_expr_break(self, node);
    }

    fn visit_expr_loop(&mut self, node: &'ast ExprLoop) {
        self.within(|this| visit::visit_expr_loop(this, node));
    }

    fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
        self.within(|this| visit::visit_expr_while(this, node));
    }

    fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
        self.within(|this| visit::visit_expr_for_loop(this, node));
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, node: &'ast Macro) {
        self.found |= holds_word(node.tokens.clone(), "break").is_some();
    }
}
