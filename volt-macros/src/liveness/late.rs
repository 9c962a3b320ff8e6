//! Locals that an awaited call takes behind a call within it.
//!
//! ```text
//! send(&mut conn, page, next())     takes `page`, then calls `next`
//! send(&mut conn, next(), page)     calls `next`, then takes `page`
//! ```
//!
//! A call that borrows locals is written in a closure, which has taken `page` already. If `next` panics, the
//! closure drops `page` before the other locals; the compiler drops it in its turn.

use syn::visit::{self, Visit};
use syn::{Expr, Macro};

use crate::hir::{Body, LocalId};
use crate::resolve::named_in;

/// The first of these locals that is taken behind a call within the operand.
pub(super) fn taken_late(body: &Body, expr: &Expr, taken: &[LocalId]) -> Option<LocalId> {
    let mut late = Late {
        body,
        taken,
        called: false,
        found: None,
    };
    late.visit_expr(expr);
    late.found
}

struct Late<'l> {
    body: &'l Body,
    taken: &'l [LocalId],
    /// Whether something was evaluated that may panic.
    called: bool,
    found: Option<LocalId>,
}

impl Late<'_> {
    fn names(&mut self, tokens: &impl quote::ToTokens) {
        let mut named = named_in(tokens, &self.body.names).into_iter();
        let found = named.find(|local| self.called && self.taken.contains(local));
        self.found = self.found.or(found);
    }
}

impl<'ast> Visit<'ast> for Late<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Path(_) | Expr::Closure(_) | Expr::Async(_) => self.names(expr),
            _ => visit::visit_expr(self, expr),
        }
        self.called |= match expr {
            Expr::Call(call) => !constructs(&call.func),
            Expr::Path(_)
            | Expr::Lit(_)
            | Expr::Reference(_)
            | Expr::Paren(_)
            | Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Struct(_)
            | Expr::Field(_)
            | Expr::Closure(_)
            | Expr::Async(_) => false,
            _ => true,
        };
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.called = true;
        self.names(mac);
    }
}

/// Whether what is called by its name is a variant or a struct: `Some(page)`.
fn constructs(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}
