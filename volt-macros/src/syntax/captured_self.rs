//! Names that a format string captures: `"{self}"`.

use std::str::FromStr;

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use syn::{Lit, Macro};

use super::captures;
use super::macros::before_format;
use crate::names::is_mark;

/// Has the format string of a macro capture `to` where it captured `from`.
pub(crate) fn rename_captured(mac: &mut Macro, from: &str, to: &str) {
    let Some(before) = before_format(mac) else {
        return;
    };
    let mut tokens: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
    if let Some(index) = format_string(&tokens, before)
        && let TokenTree::Literal(literal) = &tokens[index]
        && let Some(literal) = renamed(literal, from, to)
    {
        tokens[index] = TokenTree::Literal(literal);
        mac.tokens = TokenStream::from_iter(tokens);
    }
}

/// Where the format string is: the first literal that is a whole argument, behind so many others.
fn format_string(tokens: &[TokenTree], before: usize) -> Option<usize> {
    let is_whole = |index: usize| {
        (index == 0 || is_comma(tokens.get(index - 1))) && is_comma(tokens.get(index + 1))
    };
    let mut commas = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Literal(_) if commas >= before && is_whole(index) => return Some(index),
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

/// The string with the other name, if it captures this one.
fn renamed(literal: &Literal, from: &str, to: &str) -> Option<Literal> {
    let text = literal.to_string();
    let mut renamed = match Lit::new(literal.clone()) {
        // In a raw string all braces are those of the format.
        Lit::Str(_) if text.starts_with('r') => {
            Literal::from_str(&captures::renamed(&text, from, to)?).ok()?
        }
        Lit::Str(text) => Literal::string(&captures::renamed(&text.value(), from, to)?),
        _ => return None,
    };
    renamed.set_span(Span::call_site().located_at(literal.span()));
    Some(renamed)
}

#[cfg(test)]
mod tests;
