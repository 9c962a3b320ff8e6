//! What a pattern does with the value that it is matched on.

use syn::visit::{self, Visit};
use syn::{Expr, Pat, PatIdent, PatReference, PatRest, PatStruct, PatWild, Path, Stmt};

use crate::names::is_variant_of_core;
use crate::resolve::{is_binding, is_capital};

/// What a pattern does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether it binds something by value.
    pub(crate) binds: bool,
    /// Whether it leaves something.
    pub(crate) leaves: bool,
    /// Whether it says `ref`, or looks behind a reference.
    pub(crate) borrows: bool,
    /// Whether it opens a type that may have a destructor of its own. Of such a value nothing is moved: what
    /// the pattern binds is copied, and the value stays.
    pub(crate) opens: bool,
}

impl Shape {
    pub(crate) fn of(pat: &Pat) -> Self {
        let mut shape = Self::default();
        shape.visit_pat(pat);
        shape
    }
}

impl<'ast> Visit<'ast> for Shape {
    fn visit_path(&mut self, path: &'ast Path) {
        // What is spelled alone has its whole path by now.
        self.opens |= !is_variant_of_core(path);
    }

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.opens |= is_capital(&pat.ident);
        match pat.by_ref {
            Some(_) => self.borrows = true,
            None => self.binds |= is_binding(pat),
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_pat_reference(&mut self, pat: &'ast PatReference) {
        self.borrows = true;
        visit::visit_pat_reference(self, pat);
    }

    fn visit_pat_wild(&mut self, _: &'ast PatWild) {
        self.leaves = true;
    }

    fn visit_pat_rest(&mut self, _: &'ast PatRest) {
        self.leaves = true;
    }

    fn visit_pat_struct(&mut self, pat: &'ast PatStruct) {
        self.leaves |= pat.rest.is_some();
        visit::visit_pat_struct(self, pat);
    }

    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}

/// Returns `true` if the pattern opens one type and binds all of it by value: only a destructor
/// of that type itself
/// would leave anything.
pub(crate) fn takes_all(pat: &Pat) -> bool {
    let parts: Vec<&Pat> = match pat {
        Pat::Paren(node) => return takes_all(&node.pat),
        Pat::Path(_) => return true,
        Pat::TupleStruct(node) => node.elems.iter().collect(),
        Pat::Struct(node) if node.rest.is_none() => {
            node.fields.iter().map(|field| &*field.pat).collect()
        }
        _ => return false,
    };
    let mut shapes = parts.into_iter().map(Shape::of);
    shapes.all(|shape| shape.binds && !shape.leaves && !shape.borrows && !shape.opens)
}

/// Whether the branch does nothing but leave: it makes no difference whether something is dropped before it.
pub(in crate::hir) fn only_leaves(branch: &Expr) -> bool {
    match branch {
        Expr::Block(node) => match &node.block.stmts[..] {
            [] => true,
            [Stmt::Expr(only, _)] => only_leaves(only),
            _ => false,
        },
        Expr::Break(node) => node.expr.is_none(),
        Expr::Return(node) => node.expr.is_none(),
        Expr::Continue(_) => true,
        _ => false,
    }
}
