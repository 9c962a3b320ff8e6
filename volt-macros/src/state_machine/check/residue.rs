//! What a pattern leaves behind of a value that it matches, alive to the end of the arm.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, Pat, Path, UnOp, parse_quote_spanned};

use super::promoted::is_value;
use crate::state_machine::body::Residue;
use crate::state_machine::names::{self, path_at};
use crate::state_machine::pattern::{leaves_residue, left_places, opened_parts, opens};

/// What the patterns of arms with an await may leave of a value.
pub(super) fn residue<'p>(
    scrutinee: &Expr,
    pats: impl Iterator<Item = &'p Pat> + Clone,
    volt: &Path,
) -> Option<Residue> {
    if is_bare_place(scrutinee) {
        return None;
    }
    let left: Vec<Option<Vec<Pat>>> = pats.clone().map(left_places).collect();
    if let Some(whole) = left.iter().position(Option::is_none) {
        let pat = pats.clone().nth(whole)?;
        let (span, apart) = (pat.span(), None);
        return Some(Residue { span, apart });
    }
    let left: Vec<Pat> = left.into_iter().flatten().flatten().collect();
    let asks = |pat: &&Pat| leaves_residue(pat) || opens(pat) || !opened_parts(pat).is_empty();
    let span = pats.clone().find(asks)?.span();
    let apart = Some(apart(span, pats, &left, volt));
    Some(Residue { span, apart })
}

/// What asks the parts that are taken apart by value, and those that are left.
fn apart<'p>(
    span: Span,
    pats: impl Iterator<Item = &'p Pat> + Clone,
    left: &[Pat],
    volt: &Path,
) -> ExprClosure {
    let span = Span::call_site().located_at(span);
    let (volt, value) = (path_at(volt, span), names::local_at("value", span));
    let part = names::local_at("part", span).into_token_stream();
    let apart =
        |place: &TokenStream| quote_spanned!(span=> #volt::__private::Like::of(#place).apart());
    let goes = quote_spanned!(span=> #volt::__private::Goes);
    let whole = pats.clone().any(opens);
    let whole = whole.then(|| apart(&value.to_token_stream())).into_iter();
    let arms: Vec<Pat> = pats.flat_map(opened_parts).collect();
    let apart = apart(&part);
    let within = (!arms.is_empty())
        .then(|| quote_spanned!(span=> match #value { #(#arms => #apart,)* _ => #goes }));
    let left = left.iter().map(|left| {
        quote_spanned! {span=>
            match #value {
                #left => #volt::__private::stays(#part),
                #[allow(unreachable_patterns, reason = "it may always match")]
                _ => ::core::unreachable!(),
            }
        }
    });
    let answers = whole.chain(within).chain(left);
    let answer = answers.reduce(|answer, next| quote_spanned!(span=> (#answer, #next)));
    let answer = answer.unwrap_or(goes);
    parse_quote_spanned!(span=> |#value| #answer)
}

/// Whether it is a place, and not the value of an expression. What a place is found through is
/// proven for itself.
pub(super) fn is_bare_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => !is_value(path),
        Expr::Field(_) | Expr::Index(_) | Expr::Lit(_) => true,
        Expr::Unary(node) => matches!(node.op, UnOp::Deref(_)),
        Expr::Paren(node) => is_bare_place(&node.expr),
        Expr::Group(node) => is_bare_place(&node.expr),
        _ => false,
    }
}
