//! What locals are given after their declaration: they may hold it from then on.
//!
//! ```text
//! list.push(&page)      fill(&mut list, &page)      last = Some(&page)      all give `page` to the local
//! ```
//!
//! A pattern within an expression that stays whole gives what it is matched with to what it binds.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{
    Expr, ExprAssign, ExprCall, ExprForLoop, ExprLet, ExprMatch, ExprMethodCall, Local, Pat,
};

use crate::hir::{Body, LocalId};
use crate::resolve::named_in;

/// For each local what it may be given, by methods, calls and assignments. An await that borrows a local
/// gives it to nobody for longer than that: if it did, the machine would not build.
pub(super) fn given(body: &Body) -> BTreeMap<LocalId, Vec<Expr>> {
    let mut given = Given {
        body,
        found: BTreeMap::new(),
    };
    let awaited: Vec<usize> = body.awaits.iter().map(|data| data.operand.0).collect();
    let exprs = body.exprs.iter().enumerate();
    for (_, expr) in exprs.filter(|(index, _)| !awaited.contains(index)) {
        given.visit_expr(expr);
    }
    given.found
}

fn is_changed(arg: &Expr) -> bool {
    matches!(arg, Expr::Reference(arg) if arg.mutability.is_some())
}

struct Given<'b> {
    body: &'b Body,
    found: BTreeMap<LocalId, Vec<Expr>>,
}

impl Given<'_> {
    fn give<'e>(&mut self, place: &Expr, values: impl Iterator<Item = &'e Expr>) {
        if let Some(local) = self.root(place) {
            self.found.entry(local).or_default().extend(values.cloned());
        }
    }

    fn bind(&mut self, pat: &Pat, value: &Expr) {
        for local in named_in(pat, &self.body.names) {
            self.found.entry(local).or_default().push(value.clone());
        }
    }

    /// The local that a place is a part of, or that a chain of methods begins with.
    fn root(&self, place: &Expr) -> Option<LocalId> {
        match place {
            Expr::Path(_) => self.body.local_of(place),
            Expr::Field(node) => self.root(&node.base),
            Expr::Index(node) => self.root(&node.expr),
            Expr::Unary(node) => self.root(&node.expr),
            Expr::Paren(node) => self.root(&node.expr),
            Expr::Reference(node) => self.root(&node.expr),
            Expr::MethodCall(node) => self.root(&node.receiver),
            Expr::Try(node) => self.root(&node.expr),
            _ => None,
        }
    }
}

impl<'ast> Visit<'ast> for Given<'_> {
    fn visit_expr_assign(&mut self, node: &'ast ExprAssign) {
        self.give(&node.left, std::iter::once(&*node.right));
        visit::visit_expr_assign(self, node);
    }

    fn visit_expr_method_call(&mut self, node: &'ast ExprMethodCall) {
        self.give(&node.receiver, node.args.iter());
        for arg in &node.args {
            if let Expr::Closure(closure) = arg {
                let receiver = &*node.receiver;
                closure
                    .inputs
                    .iter()
                    .for_each(|pat| self.bind(pat, receiver));
            }
        }
        visit::visit_expr_method_call(self, node);
    }

    fn visit_expr_for_loop(&mut self, node: &'ast ExprForLoop) {
        self.bind(&node.pat, &node.expr);
        visit::visit_expr_for_loop(self, node);
    }

    fn visit_expr_let(&mut self, node: &'ast ExprLet) {
        self.bind(&node.pat, &node.expr);
        visit::visit_expr_let(self, node);
    }

    fn visit_expr_match(&mut self, node: &'ast ExprMatch) {
        node.arms
            .iter()
            .for_each(|arm| self.bind(&arm.pat, &node.expr));
        visit::visit_expr_match(self, node);
    }

    fn visit_local(&mut self, node: &'ast Local) {
        if let Some(init) = &node.init {
            self.bind(&node.pat, &init.expr);
        }
        visit::visit_local(self, node);
    }

    fn visit_expr_call(&mut self, node: &'ast ExprCall) {
        for arg in node.args.iter().filter(|arg| is_changed(arg)) {
            self.give(arg, node.args.iter());
        }
        visit::visit_expr_call(self, node);
    }
}
