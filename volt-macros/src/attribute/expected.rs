//! The attribute `expect` in front of a function.
//!
//! The function becomes several items, and a lint may speak of one of them alone, or of none. An
//! expectation in front of each would be unfulfilled in the others. So a lint that speaks of the
//! code of the body is expected of the body, and dead code of the function. All other lints are
//! allowed: the compiler then does not report that such an expectation is unfulfilled.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, MetaList, Token, parse_quote};

use crate::syntax::holds_word;

/// The lint that is expected of the function. Each is expected in an attribute of its own.
const OF_FUNCTION: &str = "dead_code";

/// Lints that speak of the code of a body, and that it raises in either layout. A lint that is not
/// in the list is allowed.
const OF_BODY: &str = "
    path_statements redundant_semicolons unreachable_code unreachable_patterns unused_allocation
    unused_assignments unused_labels unused_must_use unused_mut unused_unsafe unused_variables
";

/// The attributes, in which each `expect` is split.
pub(super) fn split(attrs: Vec<Attribute>) -> Vec<Attribute> {
    attrs.into_iter().flat_map(split_one).collect()
}

fn split_one(attr: Attribute) -> Vec<Attribute> {
    let list = match &attr.meta {
        Meta::List(list) if list.path.is_ident("expect") => list,
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let is_expected = holds_word(list.tokens.clone(), "expect");
            let allowed = is_expected.then(|| allow_under_condition(list)).flatten();
            return vec![allowed.unwrap_or(attr)];
        }
        _ => return vec![attr],
    };
    let all = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let Ok(all) = all else {
        return vec![attr];
    };
    let (lints, reasons): (Vec<_>, Vec<_>) = all.into_iter().partition(is_lint);
    let (of_function, lints): (Vec<_>, Vec<_>) = lints
        .into_iter()
        .partition(|lint| is_among(lint, OF_FUNCTION));
    let (of_body, others): (Vec<_>, Vec<_>) =
        lints.into_iter().partition(|lint| is_among(lint, OF_BODY));
    let split = [
        leveled("expect", &of_function, &reasons),
        leveled("expect", &of_body, &reasons),
        leveled("allow", &others, &reasons),
    ];
    split.into_iter().flatten().collect()
}

/// An attribute that sets the level of lints, if there are any.
fn leveled(level: &str, lints: &[Meta], reasons: &[Meta]) -> Option<Attribute> {
    let level = Ident::new(level, Span::call_site());
    (!lints.is_empty()).then(|| parse_quote!(#[#level(#(#lints,)* #(#reasons),*)]))
}

/// `cfg_attr(condition, allow(..))` for one that expects.
fn allow_under_condition(list: &MetaList) -> Option<Attribute> {
    let all = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let mut all = all.ok()?.into_iter();
    let condition = all.next()?;
    let inner = all.map(allowed);
    Some(parse_quote!(#[cfg_attr(#condition, #(#inner),*)]))
}

/// Allows all that is expected.
pub(super) fn allow_all(attrs: &mut [Attribute]) {
    for attr in attrs {
        attr.meta = allowed(attr.meta.clone());
    }
}

fn allowed(meta: Meta) -> Meta {
    match meta {
        Meta::List(mut list) if list.path.is_ident("expect") => {
            list.path = parse_quote!(allow);
            Meta::List(list)
        }
        meta => meta,
    }
}

/// Returns `true` for a lint, and `false` for a reason.
fn is_lint(meta: &Meta) -> bool {
    matches!(meta, Meta::Path(_))
}

fn is_among(lint: &Meta, list: &str) -> bool {
    let name = lint.to_token_stream().to_string();
    list.split_whitespace().any(|known| known == name)
}
