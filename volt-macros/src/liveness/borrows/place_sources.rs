//! Borrows by the forms of an expression that name a local as a place: `&local` and `match local`;
//! and by the arguments of macros.

use quote::ToTokens;
use syn::{Expr, ExprMatch};

use super::borrow_sources::{BorrowSources, BorrowedFrom};
use crate::hir::{LocalId, Use, owns};
use crate::resolve::named_in;
use crate::syntax::{Arguments, contains_ident};

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

    /// The use of the value that a condition matches.
    pub(super) fn matched_use(&self, condition: &Expr) -> Use {
        match self.matched_local(condition) {
            Some(_) if !self.is_generic => Use::Value,
            _ => Use::Scrutinee,
        }
    }

    /// The local that a condition or a scrutinee matches, if no pattern of a condition borrows it.
    /// Its parts are moved or copied, unless it is a mutable reference.
    pub(in crate::liveness) fn matched_local(&self, value: &Expr) -> Option<LocalId> {
        match value {
            Expr::Let(node) if contains_ident(node.pat.to_token_stream(), "ref") => None,
            Expr::Let(node) => self.body.local_of(&node.expr),
            value => self.body.local_of(value),
        }
    }

    /// Collects the sources of the arguments that a macro moves.
    pub(super) fn collect_macro(&self, mac: &syn::Macro, found: &mut BorrowedFrom) {
        let Some(arguments) = Arguments::of(mac) else {
            found.is_unknown |= !named_in(&mac.tokens, &self.body.names).is_empty();
            return;
        };
        for (index, value) in arguments.values().enumerate() {
            if arguments.takes(index) {
                self.collect_expr(value, Use::Value, found);
            }
        }
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
