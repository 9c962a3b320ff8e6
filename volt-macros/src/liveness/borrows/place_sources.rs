//! Borrows by the forms of an expression that name a local as a place: `&local` and `match local`.

use syn::{Expr, ExprMatch};

use super::borrow_sources::{BorrowSources, BorrowedFrom};
use crate::hir::{LocalId, Use, owns};

impl BorrowSources<'_> {
    /// Finds what the value of a `match` may borrow from. Nothing borrows the place of a matched
    /// local that owns its content, because its parts are moved.
    pub(super) fn collect_arms(&self, node: &ExprMatch, found: &mut BorrowedFrom) {
        let local = self.body.local_of(&node.expr);
        let used = match local.filter(|local| self.body.has_type(*local, owns)) {
            Some(_) => Use::Value,
            None => Use::Scrutinee,
        };
        self.collect_expr(&node.expr, used, found);
        let bodies = node.arms.iter().map(|arm| &arm.body);
        bodies.for_each(|body| self.collect_expr(body, Use::Value, found));
    }

    /// The local of `&local`, if the local is a shared reference.
    pub(super) fn referred(&self, expr: &Expr) -> Option<LocalId> {
        let Expr::Reference(node) = expr else {
            return None;
        };
        let local = self.body.local_of(&node.expr);
        local.filter(|local| self.is_shared_ref(*local))
    }
}
