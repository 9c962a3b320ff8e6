//! Trait objects without `dyn`, which are valid before edition 2021: `Box<Fn(u32) -> u32>`.
//!
//! `syn` parses no such type with parentheses.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use crate::names::{any_token, is_mark};
use crate::syntax::is_before_edition_2021;

/// The tokens with `dyn` before such types, in a crate of an older edition.
pub(super) fn name_bare_objects(tokens: TokenStream) -> TokenStream {
    if has_closure_trait(&tokens) && is_before_edition_2021() {
        with_dyn(tokens)
    } else {
        tokens
    }
}

fn has_closure_trait(tokens: &TokenStream) -> bool {
    any_token(tokens.clone(), &mut is_closure_trait)
}

fn is_closure_trait(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(word) if ["Fn", "FnMut", "FnOnce"].iter().any(|name| word == name))
}

fn with_dyn(tokens: TokenStream) -> TokenStream {
    if !has_closure_trait(&tokens) {
        return tokens;
    }
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let is_called = matches!(
            tokens.get(index + 1),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
        );
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_dyn(group.stream()));
                inner.set_span(group.span());
                out.push(inner.into());
            }
            token => {
                if is_called && is_closure_trait(token) && begins_type(&tokens[..index]) {
                    out.push(Ident::new("dyn", token.span()).into());
                }
                out.push(token.clone());
            }
        }
    }
    out.into_iter().collect()
}

/// Returns `true` if a type begins after these tokens: the content of a reference, of a pointer or
/// of a generic type.
fn begins_type(before: &[TokenTree]) -> bool {
    match before {
        [.., mark, TokenTree::Ident(word)] if word == "mut" || word == "const" => {
            is_mark(mark, '&') || is_mark(mark, '*') || matches!(mark, TokenTree::Ident(_))
        }
        [.., and, tick, TokenTree::Ident(_)] => is_mark(and, '&') && is_mark(tick, '\''),
        [.., mark] => is_mark(mark, '<') || is_mark(mark, '&'),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(source: &str) -> String {
        let tokens: TokenStream = source.parse().expect("tokens");
        with_dyn(tokens).to_string().replace(' ', "")
    }

    #[test]
    fn types_of_closures_get_the_keyword() {
        assert_eq!(named("Box<Fn(u8) -> u8>"), "Box<dynFn(u8)->u8>");
        assert_eq!(named("&'a FnMut(u8)"), "&'adynFnMut(u8)");
        assert_eq!(named("&mut FnMut()"), "&mutdynFnMut()");
        assert_eq!(named("&'a mut FnMut()"), "&'amutdynFnMut()");
        assert_eq!(named("f(*const Fn())"), "f(*constdynFn())");
    }

    #[test]
    fn bounds_stay_as_they_are() {
        for source in [
            "F:Fn(u8)",
            "F:Send+FnOnce()",
            "Box<dynFn()>",
            "implFn()",
            "'a+Fn()",
        ] {
            let spaced = source.replace("dyn", "dyn ").replace("impl", "impl ");
            assert_eq!(named(&spaced), source);
        }
    }
}
