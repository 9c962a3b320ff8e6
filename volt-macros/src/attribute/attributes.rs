//! Attributes of a function that becomes several items.
//!
//! - Inner attributes of a body, `async fn f() { #![warn(..)] .. }`, are moved before the function.
//!   They mean the same there, and would be an error in the expansion.
//! - Conditions, lint levels and `doc(hidden)` of an `impl` also apply to the machines of its
//!   methods, which are outside of the block.
//! - An `expect` applies to the item in which its lint is raised. In every other item it would be
//!   unfulfilled. So lints of the body are expected of the body, and dead code of the function. All
//!   other lints are allowed: the compiler then does not report an unfulfilled expectation.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{AttrStyle, Attribute, ImplItem, ItemImpl, Meta, MetaList, Token, parse_quote};

use crate::syntax::contains_ident;

/// The lint that is expected of the function. Each is expected in an attribute of its own.
const OF_FUNCTION: &str = "dead_code";

/// Lints of the code of a body, which the body raises in either layout. A lint that is not in the
/// list is allowed.
const OF_BODY: &str = "
    path_statements redundant_semicolons unreachable_code unreachable_patterns unused_allocation
    unused_assignments unused_labels unused_must_use unused_mut unused_unsafe unused_variables
";

/// Makes inner attributes outer ones, and splits those that expect lints.
pub(super) fn move_outside(attrs: &mut Vec<Attribute>) {
    for attr in &mut *attrs {
        attr.style = AttrStyle::Outer;
    }
    *attrs = std::mem::take(attrs)
        .into_iter()
        .flat_map(split_expect)
        .collect();
}

/// Does the same for each method of a block, and copies the attributes that apply to all methods.
pub(super) fn move_outside_in(block: &mut ItemImpl) {
    for attr in &mut block.attrs {
        attr.style = AttrStyle::Outer;
        attr.meta = allowed(attr.meta.clone());
    }
    let of_block: Vec<Attribute> = block.attrs.iter().filter(is_for_all).cloned().collect();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        move_outside(&mut method.attrs);
        if method.sig.asyncness.is_some() {
            method.attrs.splice(0..0, of_block.iter().cloned());
        }
    }
}

/// Returns `true` for an attribute of a block that applies to its methods.
fn is_for_all(attr: &&Attribute) -> bool {
    const FOR_ALL: &[&str] = &["cfg", "allow", "warn", "deny"];
    let is_hidden = || contains_ident(attr.to_token_stream(), "hidden");
    FOR_ALL.iter().any(|name| attr.path().is_ident(name))
        || attr.path().is_ident("doc") && is_hidden()
}

/// Splits an `expect` into the lints of the function, the lints of the body, and the allowed ones.
fn split_expect(attr: Attribute) -> Vec<Attribute> {
    let list = match &attr.meta {
        Meta::List(list) if list.path.is_ident("expect") => list,
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let is_expected = contains_ident(list.tokens.clone(), "expect");
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
        lint_level("expect", &of_function, &reasons),
        lint_level("expect", &of_body, &reasons),
        lint_level("allow", &others, &reasons),
    ];
    split.into_iter().flatten().collect()
}

/// An attribute that sets the level of lints, if there are any.
fn lint_level(level: &str, lints: &[Meta], reasons: &[Meta]) -> Option<Attribute> {
    let level = Ident::new(level, Span::call_site());
    (!lints.is_empty()).then(|| parse_quote!(#[#level(#(#lints,)* #(#reasons),*)]))
}

/// Replaces `cfg_attr(condition, expect(..))` by `cfg_attr(condition, allow(..))`.
fn allow_under_condition(list: &MetaList) -> Option<Attribute> {
    let all = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let mut all = all.ok()?.into_iter();
    let condition = all.next()?;
    let inner = all.map(allowed);
    Some(parse_quote!(#[cfg_attr(#condition, #(#inner),*)]))
}

/// Replaces `expect` by `allow`.
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
