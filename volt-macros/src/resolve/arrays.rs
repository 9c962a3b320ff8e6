//! Patterns that take an array apart.
//!
//! ```text
//! let [one, two] = pages;                     in doubt, where `pages` is a local, or a part of one
//! let [one, two] = &pages;                    references
//! match frames.as_slice() { [one, ..] => .. } a value
//! ```

use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, PatSlice, Type};

use super::bindings::each_binding;
use super::scopes::Scopes;
use crate::doubt::Reason;

impl Scopes<'_> {
    /// Doubts a pattern that may move elements out of an array in its place: the compiler drops such an array from its
    /// last element to its first.
    pub(super) fn check_arrays(&mut self, pat: &mut Pat, value: Option<&Expr>) {
        if value.is_none_or(|value| self.is_owned_place(value)) && moves_elements(pat) {
            self.doubts.note(Reason::ArrayPattern, &*pat);
        }
    }

    /// Whether the expression is a place that may be moved from: not behind what is written as a reference.
    fn is_owned_place(&self, value: &Expr) -> bool {
        match value {
            Expr::Path(node) => {
                let mut locals = self.locals.iter();
                let found = locals.find(|local| node.path.is_ident(&local.ident));
                !found.is_some_and(|local| matches!(local.ty, Some(Type::Reference(_))))
            }
            Expr::Field(node) => self.is_owned_place(&node.base),
            Expr::Index(node) => self.is_owned_place(&node.expr),
            Expr::Paren(node) => self.is_owned_place(&node.expr),
            Expr::Unary(node) => self.is_owned_place(&node.expr),
            expr => matches!(expr, Expr::Macro(_)),
        }
    }
}

/// Whether the pattern binds a part of an element of an array by value.
fn moves_elements(pat: &mut Pat) -> bool {
    struct Find(bool);
    impl VisitMut for Find {
        fn visit_pat_slice_mut(&mut self, pat: &mut PatSlice) {
            for elem in &mut pat.elems {
                each_binding(elem, |bound| self.0 |= bound.by_ref.is_none());
            }
        }
    }
    let mut find = Find(false);
    find.visit_pat_mut(pat);
    find.0
}
