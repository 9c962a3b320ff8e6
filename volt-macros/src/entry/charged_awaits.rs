//! Budgeted awaits: each await of a body charges the budget of its task.
//!
//! Otherwise a loop over ready futures of other crates would occupy its worker. The awaits of
//! `async` blocks and closures in the body are charged, too. Awaits in the arguments of macros are
//! not.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprAwait, ExprConst, Item, Macro, Path};

/// Wraps each awaited future of a body by `volt::__entry::charged`.
pub(super) fn charge_awaits(body: &mut Block, volt: &Path) {
    ChargedAwaits { volt }.visit_block_mut(body);
}

struct ChargedAwaits<'p> {
    volt: &'p Path,
}

impl VisitMut for ChargedAwaits<'_> {
    fn visit_expr_await_mut(&mut self, node: &mut ExprAwait) {
        visit_mut::visit_expr_await_mut(self, node);
        let base = std::mem::replace(&mut *node.base, Expr::PLACEHOLDER);
        let (base, volt) = (without_parens(base), self.volt);
        let span = Span::mixed_site().located_at(base.span());
        let charged = quote_spanned!(span=> #volt::__entry::charged(#base));
        *node.base = Expr::Verbatim(charged);
    }

    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}

    fn visit_macro_mut(&mut self, _: &mut Macro) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The expression without the parentheses around it, which an argument of a call does not need.
fn without_parens(expr: Expr) -> Expr {
    match expr {
        Expr::Paren(paren) if paren.attrs.is_empty() => without_parens(*paren.expr),
        other => other,
    }
}
