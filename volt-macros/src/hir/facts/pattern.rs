//! Patterns: the parts of the matched value that they move, borrow or leave.

use syn::visit::{self, Visit};
use syn::{Expr, Pat, PatIdent, PatReference, PatRest, PatStruct, PatWild, Path, Stmt};

use crate::names::{is_variant_of_core, last_of};
use crate::resolve::{is_binding, is_capital};

/// The effect of a pattern on the matched value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// `true` if it binds a part by value.
    pub(crate) binds: bool,
    /// `true` if it leaves a part unbound.
    pub(crate) leaves_part: bool,
    /// `true` if it contains `ref`, or matches through a reference.
    pub(crate) borrows: bool,
    /// `true` if it destructures a type that may implement `Drop`. Nothing moves out of such a
    /// value: the pattern copies the parts, and the value is dropped in its place.
    pub(crate) destructures: bool,
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
        // `normalise` has replaced the names of known variants by their whole paths.
        self.destructures |= !is_variant_of_core(path);
    }

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.destructures |= is_capital(&pat.ident);
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
        self.leaves_part = true;
    }

    fn visit_pat_rest(&mut self, _: &'ast PatRest) {
        self.leaves_part = true;
    }

    fn visit_pat_struct(&mut self, pat: &'ast PatStruct) {
        self.leaves_part |= pat.rest.is_some();
        visit::visit_pat_struct(self, pat);
    }

    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}

/// Returns `true` if the pattern destructures one type and binds all of its parts by value. Only a
/// destructor of that type would leave anything.
pub(crate) fn binds_all_by_value(pat: &Pat) -> bool {
    let parts: Vec<&Pat> = match pat {
        Pat::Paren(node) => return binds_all_by_value(&node.pat),
        Pat::Path(_) => return true,
        Pat::TupleStruct(node) => node.elems.iter().collect(),
        Pat::Struct(node) if node.rest.is_none() => {
            node.fields.iter().map(|field| &*field.pat).collect()
        }
        _ => return false,
    };
    let mut shapes = parts.into_iter().map(Shape::of);
    shapes.all(|shape| shape.binds && !shape.leaves_part && !shape.borrows && !shape.destructures)
}

/// Returns `true` if the pattern is `Some(..)` of any value, so that only `None` does not match.
pub(crate) fn is_some_of_all(pat: &Pat) -> bool {
    match pat {
        Pat::TupleStruct(node) if is_variant_of_core(&node.path) => {
            let is_some = last_of(&node.path).is_some_and(|last| last == "Some");
            let is_all = |part: &Pat| {
                matches!(part, Pat::Wild(_))
                    || matches!(part, Pat::Ident(pat) if pat.subpat.is_none())
            };
            is_some && node.elems.iter().all(is_all)
        }
        _ => false,
    }
}

/// Returns `true` if the branch only leaves the function or a loop, without a value. A drop before
/// or after it is the same.
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
