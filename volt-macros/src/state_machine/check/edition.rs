//! What depends on the edition of the user's crate.
//!
//! Before edition 2024 what is matched by an `if let` lives through its `else`: the temporaries on the
//! way to the value, and what the pattern does not take of it. The machine lets go of them before the
//! `else`, so there it has to be proven that nobody can tell. A macro cannot ask for the edition, but its
//! tokens can: see `expand::tail`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprIf, Pat, Path, Stmt, parse_quote};

use crate::state_machine::names::{self, path_at};
use crate::state_machine::pattern::always_matches;

/// The name of the macro that tells whether the edition is 2024 or later.
pub(crate) const SINCE_2024: &str = "since_2024";

/// An answer that only has to hold before edition 2024.
pub(super) fn unless_since_2024(answer: &TokenStream, volt: &Path, span: Span) -> TokenStream {
    let (volt, since) = (path_at(volt, span), names::local_at(SINCE_2024, span));
    quote_spanned!(span=> #volt::__private::unless::<{ #since!(_) }, _>(#answer))
}

/// Whether an `else` may tell when what was matched is dropped: one that only leaves drops it as well,
/// and first of all.
pub(super) fn may_tell(node: &ExprIf) -> bool {
    match node.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
        None => false,
        Some(Expr::Block(otherwise)) => !only_leaves(&otherwise.block),
        Some(_) => true,
    }
}

fn only_leaves(block: &Block) -> bool {
    let leaves = |expr: &Expr| match expr {
        Expr::Break(node) => node.expr.is_none(),
        Expr::Return(node) => node.expr.is_none(),
        Expr::Continue(_) => true,
        _ => false,
    };
    match &block.stmts[..] {
        [] => true,
        [Stmt::Expr(only, _)] => leaves(only),
        _ => false,
    }
}

/// What is asked of a value of which a pattern may have matched nothing: the name of the value, and
/// the answer for all that may be in it then.
pub(super) fn unmatched(pat: &Pat, volt: &Path) -> Option<(Ident, TokenStream)> {
    let span = Span::call_site().located_at(pat.span());
    let (value, part) = (
        names::local_at("value", span),
        names::local_at("part", span),
    );
    let volt = path_at(volt, span);
    let left = |place: &Ident| quote_spanned!(span=> #volt::__private::Like::of(#place).left());
    let rests = rests(pat, &part);
    let whole = |rest: &Pat| *rest == parse_quote!(#part);
    let answers = rests.iter().map(|rest| {
        let (whole, left) = (whole(rest).then(|| left(&value)), left(&part));
        whole.unwrap_or_else(|| quote!(match #value { #rest => #left, _ => loop {} }))
    });
    let answer = answers.reduce(|all, answer| quote_spanned!(span=> (#all, #answer)))?;
    Some((value, answer))
}

/// The patterns of what a value may hold that does not match, with the name for it.
fn rests(pat: &Pat, part: &Ident) -> Vec<Pat> {
    match pat {
        pat if always_matches(pat) => Vec::new(),
        Pat::Paren(pat) => rests(&pat.pat, part),
        Pat::TupleStruct(node) if node.elems.len() == 1 => {
            let variant = &node.path;
            let within = rests(&node.elems[0], part).into_iter();
            let within = within.map(|rest| parse_quote!(#variant(#rest)));
            let is = |name: &str| variant.is_ident(name);
            let other: Option<Pat> = match () {
                () if is("Some") => None,
                () if is("Ok") => Some(parse_quote!(::core::result::Result::Err(#part))),
                () if is("Err") => Some(parse_quote!(::core::result::Result::Ok(#part))),
                () => return vec![parse_quote!(#part)],
            };
            within.chain(other).collect()
        }
        _ => vec![parse_quote!(#part)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse::Parser;

    fn rests_of(pat: &str) -> Vec<String> {
        let pat = Pat::parse_single.parse_str(pat).expect("a pattern");
        let rests = rests(&pat, &names::local("part"));
        let texts = rests.iter().map(|rest| quote!(#rest).to_string());
        texts.map(|text| text.replace(' ', "")).collect()
    }

    #[test]
    fn what_is_not_matched_is_told_by_the_pattern() {
        let none: [&str; 0] = [];
        assert_eq!(rests_of("Some(_)"), none);
        assert_eq!(rests_of("Some((left, right))"), none);
        assert_eq!(rests_of("Ok(n)"), ["::core::result::Result::Err(part)"]);
        assert_eq!(
            rests_of("Some(Err(3))"),
            ["Some(Err(part))", "Some(::core::result::Result::Ok(part))"]
        );
        assert_eq!(rests_of("None"), ["part"]);
        assert_eq!(rests_of("Shape::Dot(x)"), ["part"]);
    }

    #[test]
    fn else_that_only_leaves_cannot_tell() {
        let tells = |source: &str| may_tell(&syn::parse_str(source).expect("an `if`"));
        assert!(tells("if let Ok(_) = f() {} else { g() }"));
        assert!(tells("if let Ok(_) = f() {} else { return g() }"));
        assert!(tells("if let Ok(_) = f() {} else if c {}"));
        assert!(!tells("if let Ok(_) = f() {}"));
        assert!(!tells("if let Ok(_) = f() {} else {}"));
        assert!(!tells("if let Ok(_) = f() {} else { break }"));
    }
}
