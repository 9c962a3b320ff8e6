//! `self` that a format string captures: `"{self}"`.

use proc_macro2::{Literal, Span, TokenTree};
use quote::quote;
use syn::{Lit, Macro, Token};

use super::assertion::ends_with_comma;
use super::captures::captured;
use super::macros::before_format;
use crate::names::{is_mark, receiver};

/// Gives a macro what stands for `self`, if its format string captures that: `"{self}"` becomes
/// `"{self}", self = __self`.
pub(crate) fn give_captured(mac: &mut Macro) {
    let Some(before) = before_format(mac) else {
        return;
    };
    let tokens: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
    if let Some(literal) = format_string(&tokens, before)
        && captures_self(literal)
    {
        let given = receiver(Span::call_site().located_at(literal.span()));
        let comma = (!ends_with_comma(&mac.tokens)).then(<Token![,]>::default);
        mac.tokens = quote!(#(#tokens)* #comma self = #given);
    }
}

fn captures_self(literal: &Literal) -> bool {
    match Lit::new(literal.clone()) {
        Lit::Str(text) => captured(&text.value()).any(|name| name == "self"),
        _ => false,
    }
}

/// Where the format string is: the first literal that is a whole argument, behind so many others.
fn format_string(tokens: &[TokenTree], before: usize) -> Option<&Literal> {
    let is_whole = |index: usize| {
        (index == 0 || is_comma(tokens.get(index - 1))) && is_comma(tokens.get(index + 1))
    };
    let mut commas = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Literal(it) if commas >= before && is_whole(index) => return Some(it),
            token if is_comma(Some(token)) => commas += 1,
            _ => {}
        }
    }
    None
}

/// Whether an argument ends here.
fn is_comma(token: Option<&TokenTree>) -> bool {
    token.is_none_or(|token| is_mark(token, ','))
}

#[cfg(test)]
mod tests;
