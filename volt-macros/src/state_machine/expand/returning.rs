//! Macros that return from the function, by the names that they have in the crates of errors.
//!
//! Inside `poll` a `return` that a macro hides would return from `poll`. So the macro stands in a
//! closure, out of which what it returns is taken:
//!
//! ```text
//! bail!(..)        return Poll::Ready((|| -> Output { bail!(..) })())
//! ensure!(..)      match (|| Ok(ensure!(..)))() {
//!                      Ok(output) => output,
//!                      Err(early) => return Poll::Ready(Err(early)),
//!                  }
//! ```
//!
//! Of a macro of another name nobody can see that it returns.

use proc_macro2::TokenTree;
use syn::{Expr, Macro, Type, parse_quote};

use crate::state_machine::names;
use crate::state_machine::parse::peel;

/// Those that always return.
const ALWAYS: &[&str] = &["bail", "throw", "yeet"];

/// Those that may go on, with a value or without.
const PERHAPS: &[&str] = &[
    "ensure",
    "ensure_eq",
    "ensure_ne",
    "ensure_whatever",
    "try",
    "whatever",
];

/// What stands for the macro, if it is known to return, in a function that returns `output`.
pub(super) fn returning(output: &Type, mac: &Macro) -> Option<Expr> {
    let last = mac.path.segments.last()?.ident.to_string();
    let is_one_of = |names: &[&str]| names.contains(&last.trim_start_matches("r#"));
    if is_one_of(ALWAYS) || (last == "whatever" && begins_with_text(mac)) {
        return Some(parse_quote! {
            return ::core::task::Poll::Ready((|| -> #output { #mac })())
        });
    }
    if !is_one_of(PERHAPS) {
        return None;
    }
    let (value, early) = (names::local("output"), names::local("early"));
    Some(match is_option(output) {
        true => parse_quote! {
            match (|| ::core::option::Option::Some(#mac))() {
                ::core::option::Option::Some(#value) => #value,
                ::core::option::Option::None => {
                    return ::core::task::Poll::Ready(::core::option::Option::None)
                }
            }
        },
        false => parse_quote! {
            match (|| ::core::result::Result::Ok(#mac))() {
                ::core::result::Result::Ok(#value) => #value,
                ::core::result::Result::Err(#early) => {
                    return ::core::task::Poll::Ready(::core::result::Result::Err(#early))
                }
            }
        },
    })
}

/// `whatever!("no more")`, which has nothing to go on with.
fn begins_with_text(mac: &Macro) -> bool {
    let mut tokens = mac.tokens.clone().into_iter();
    let is_text = matches!(tokens.next(), Some(TokenTree::Literal(_)));
    is_text && tokens.next().is_none_or(|next| next.to_string() == ",")
}

fn is_option(output: &Type) -> bool {
    match peel(output) {
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| last.ident == "Option")
        }
        _ => false,
    }
}
