//! The functions that a body calls by their names, where those are not the names of locals.

use syn::visit::{self, Visit};
use syn::{Arm, Block, ExprCall, ExprClosure, ExprForLoop, ExprIf, ExprWhile, Item, Stmt};

use super::scope::{bindings, plain_name};

/// The names.
pub(crate) fn called(block: &Block) -> Vec<String> {
    let mut called = Called::default();
    called.visit_block(block);
    called.found
}

#[derive(Default)]
struct Called {
    in_scope: Vec<String>,
    found: Vec<String>,
}

impl Called {
    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let depth = self.in_scope.len();
        visit(self);
        self.in_scope.truncate(depth);
    }

    fn declare(&mut self, pat: &syn::Pat) {
        let bound = bindings(pat).into_iter();
        self.in_scope
            .extend(bound.map(|binding| binding.ident.to_string()));
    }
}

impl<'ast> Visit<'ast> for Called {
    fn visit_expr_call(&mut self, node: &'ast ExprCall) {
        if let Some(name) = plain_name(&node.func).map(ToString::to_string)
            && !self.in_scope.contains(&name)
        {
            self.found.push(name);
        }
        visit::visit_expr_call(self, node);
    }

    fn visit_block(&mut self, node: &'ast Block) {
        self.scoped(|this| {
            for stmt in &node.stmts {
                this.visit_stmt(stmt);
                if let Stmt::Local(local) = stmt {
                    this.declare(&local.pat);
                }
            }
        });
    }

    fn visit_arm(&mut self, node: &'ast Arm) {
        self.scoped(|this| {
            this.declare(&node.pat);
            visit::visit_arm(this, node);
        });
    }

    fn visit_expr_let(&mut self, node: &'ast syn::ExprLet) {
        visit::visit_expr_let(self, node);
        self.declare(&node.pat);
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        self.scoped(|this| {
            this.visit_expr(&node.cond);
            this.visit_block(&node.then_branch);
        });
        if let Some((_, otherwise)) = &node.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        self.scoped(|this| visit::visit_expr_while(this, node));
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        self.visit_expr(&node.expr);
        self.scoped(|this| {
            this.declare(&node.pat);
            this.visit_block(&node.body);
        });
    }

    fn visit_expr_closure(&mut self, node: &'ast ExprClosure) {
        self.scoped(|this| {
            node.inputs.iter().for_each(|pat| this.declare(pat));
            visit::visit_expr(this, &node.body);
        });
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_locals_are_not_called() {
        let source =
            "{ let f = f(1); { let g = |x| x; g(h(2)); } g(3); if let Some(i) = j() { i() } }";
        let block: Block = syn::parse_str(source).expect("a block");
        assert_eq!(called(&block), ["f", "h", "g", "j"]);
    }
}
