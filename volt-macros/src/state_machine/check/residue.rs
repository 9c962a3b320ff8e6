//! What a pattern leaves behind of a value that it matches, alive to the end of the arm.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Pat, Path, UnOp, parse_quote_spanned};

use super::promoted::is_value;
use crate::state_machine::body::Residue;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::pattern::{leaves_residue, opened_parts, opens};

/// What the patterns of arms with an await may leave of a value.
pub(super) fn residue<'p>(
    scrutinee: &Expr,
    pats: impl Iterator<Item = &'p Pat> + Clone,
    volt: &Path,
) -> Option<Residue> {
    if is_bare_place(scrutinee) {
        return None;
    }
    if let Some(pat) = pats.clone().find(|pat| leaves_residue(pat)) {
        return Some(Residue {
            span: pat.span(),
            apart: None,
        });
    }
    let span = pats
        .clone()
        .find(|pat| opens(pat) || !opened_parts(pat).is_empty())?;
    let span = Span::call_site().located_at(span.span());
    let (volt, value) = (path_at(volt, span), names::local_at("value", span));
    let part = names::local_at("part", span).into_token_stream();
    let apart =
        |place: &TokenStream| quote_spanned!(span=> #volt::__private::Like::of(#place).apart());
    let goes = quote_spanned!(span=> #volt::__private::Goes);
    let whole = pats.clone().any(opens);
    let whole = whole.then(|| apart(&value.to_token_stream())).into_iter();
    let arms: Vec<Pat> = pats.flat_map(opened_parts).collect();
    let apart = apart(&part);
    let within = match arms.is_empty() {
        true => goes,
        false => quote_spanned!(span=> match #value { #(#arms => #apart,)* _ => #goes }),
    };
    Some(Residue {
        span,
        apart: Some(parse_quote_spanned!(span=> |#value| (#(#whole,)* #within))),
    })
}

/// Whether it is a place, and not the value of an expression. What a place is found through is
/// proven for itself.
fn is_bare_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => !is_value(path),
        Expr::Field(_) | Expr::Index(_) | Expr::Lit(_) => true,
        Expr::Unary(node) => matches!(node.op, UnOp::Deref(_)),
        Expr::Paren(node) => is_bare_place(&node.expr),
        Expr::Group(node) => is_bare_place(&node.expr),
        _ => false,
    }
}
