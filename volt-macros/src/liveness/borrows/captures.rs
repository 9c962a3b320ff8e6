//! Expressions with a closure, an `async` block or an unknown macro.
//!
//! Each copy of the text of a closure has a type of its own. All of them have one size if the
//! closure captures nothing, or if it captures by move. Such a value can be stored, because
//! `advance` contains its text once.
//!
//! ```text
//! list.retain(|x| *x > 2)           captures nothing          stored
//! run(move || page.render())        moves `page`              stored
//! run(|| page.render())             borrows or moves `page`   fallback reason
//! ```

use syn::visit::{self, Visit};
use syn::{Expr, ExprReturn, Macro, PatIdent};

use crate::hir::{Body, LocalId};
use crate::resolve::named_in;
use crate::syntax::Arguments;

/// The content of an expression.
pub(in crate::liveness) struct ExprForm<'b> {
    body: &'b Body,
    /// `true` if it contains a closure, an `async` block or a macro whose size is unknown.
    pub(in crate::liveness) has_unknown_size: bool,
    /// `true` if a jump or `?` leaves it.
    pub(in crate::liveness) jumps: bool,
    /// `true` if it contains a closure, an `async` block or an unknown macro.
    pub(in crate::liveness) has_unique_type: bool,
}

impl<'b> ExprForm<'b> {
    pub(in crate::liveness) fn of(body: &'b Body, expr: &Expr) -> Self {
        let mut form = Self {
            body,
            has_unknown_size: false,
            jumps: false,
            has_unique_type: false,
        };
        form.visit_expr(expr);
        form
    }

    fn note_unique_type(&mut self, is_move: bool, captures: &[LocalId]) {
        self.has_unique_type = true;
        self.has_unknown_size |= !is_move && !captures.is_empty();
    }
}

impl<'ast> Visit<'ast> for ExprForm<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let is_move = match expr {
            Expr::Closure(node) => Some(node.capture.is_some()),
            Expr::Async(node) => Some(node.capture.is_some()),
            _ => None,
        };
        if let Some(is_move) = is_move {
            return self.note_unique_type(is_move, &captured(self.body, expr));
        }
        self.jumps |= matches!(
            expr,
            Expr::Return(_) | Expr::Try(_) | Expr::Break(_) | Expr::Continue(_)
        );
        visit::visit_expr(self, expr);
    }

    /// No local stores a returned value.
    fn visit_expr_return(&mut self, _: &'ast ExprReturn) {}

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(arguments) = Arguments::of(mac) {
            for (index, value) in arguments.values().enumerate() {
                let (form, takes) = (Self::of(self.body, value), arguments.takes(index));
                self.jumps |= form.jumps;
                self.has_unknown_size |= takes && form.has_unknown_size;
                self.has_unique_type |= takes && form.has_unique_type;
            }
        } else {
            let named = named_in(&mac.tokens, &self.body.names);
            self.note_unique_type(false, &named);
        }
    }
}

/// The locals of the function that a closure or an `async` block names, and does not declare.
pub(in crate::liveness) fn captured(body: &Body, expr: &Expr) -> Vec<LocalId> {
    let mut bound = BoundNames(Vec::new());
    bound.visit_expr(expr);
    let mut named = named_in(expr, &body.names);
    named.retain(|local| {
        let ident = &body.locals[local.0].ident;
        !bound.0.iter().any(|bound| ident == bound)
    });
    named
}

/// The names that are bound in an expression. Names are unique.
struct BoundNames(Vec<String>);

impl<'ast> Visit<'ast> for BoundNames {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.0.push(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}
