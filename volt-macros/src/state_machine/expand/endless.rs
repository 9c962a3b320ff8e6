//! Whether a body ends in a loop that nothing leaves.

use syn::visit::Visit;
use syn::{Expr, ExprBreak, ExprLoop, Lifetime, Macro};

use crate::state_machine::body::{Block, Kind, Node, Stmt};
use crate::state_machine::scope::holds_word;

/// Whether the last statement is a `loop` that awaits nothing and has no end.
///
/// What stands behind such a statement needs no value, and the compiler would not take any.
pub(super) fn ends_in_endless(block: &Block) -> bool {
    let node = match block.stmts.last() {
        Some(Stmt::Let(stmt)) => stmt.init.as_ref(),
        Some(Stmt::Expr { node, .. }) => Some(&**node),
        _ => None,
    };
    node.is_some_and(is_endless)
}

fn is_endless(node: &Node) -> bool {
    let Kind::Plain(Expr::Loop(endless)) = &node.kind else {
        return false;
    };
    let mut breaks = Breaks {
        label: endless.label.as_ref().map(|label| &label.name),
        inside: false,
        found: false,
    };
    breaks.visit_block(&endless.body);
    !breaks.found
}

/// Looks for a `break` that ends the loop with this label.
struct Breaks<'a> {
    label: Option<&'a Lifetime>,
    /// Whether another loop is nearer.
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
        syn::visit::visit_expr_break(self, node);
    }

    fn visit_expr_loop(&mut self, node: &'ast ExprLoop) {
        self.within(|this| syn::visit::visit_expr_loop(this, node));
    }

    fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
        self.within(|this| syn::visit::visit_expr_while(this, node));
    }

    fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
        self.within(|this| syn::visit::visit_expr_for_loop(this, node));
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, node: &'ast Macro) {
        self.found |= holds_word(node.tokens.clone(), "break").is_some();
    }
}
