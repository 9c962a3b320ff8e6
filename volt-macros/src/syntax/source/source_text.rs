//! Tokens as text, formatted as source code.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

use crate::names::{RECEIVER, each_token};

/// The tokens as text, without the spaces that `to_string` adds between them.
pub(crate) fn source_text(tokens: &impl ToTokens) -> String {
    let tokens = tokens.to_token_stream();
    let mut list = tokens.clone().into_iter();
    match (list.next(), list.next()) {
        // A type is often a single name.
        (Some(TokenTree::Ident(name)), None) => {
            let user = name.span();
            first_name(name, Some(user)).to_string()
        }
        _ => tidy(&as_written(&tokens).to_string()),
    }
}

/// The tokens with the original names of renamed locals.
pub(crate) fn as_written(tokens: &impl ToTokens) -> TokenStream {
    let tokens = tokens.to_token_stream();
    let user = tokens.clone().into_iter().last().map(|last| last.span());
    each_token(tokens, &mut |token| match token {
        TokenTree::Ident(name) => first_name(name, user).into(),
        token => token,
    })
}

/// The name of a local before it was renamed to `name_2`, and `self` for the receiver.
fn first_name(name: Ident, user: Option<Span>) -> Ident {
    let (text, span) = (name.to_string(), name.span());
    if text == RECEIVER {
        let span = user.map_or(span, |user| span.resolved_at(user));
        return Ident::new("self", span);
    }
    let is_numbered = |(_, number): &(&str, &str)| number.parse::<u32>().is_ok();
    let first = text.rsplit_once('_').filter(is_numbered);
    match first.filter(|(first, _)| span.source_text().as_deref() == Some(*first)) {
        Some((first, _)) => Ident::new(first, span),
        None => name,
    }
}

/// Paths that only the macro writes.
const MACRO_PATHS: &[&str] = &[
    ":: core :: iter :: ",
    ":: core :: ops :: ",
    ":: core :: prelude :: v1 :: ",
    ":: core :: primitive :: ",
];

/// The replacement for ` && ` while the spaces of `& ` are removed.
const AND: &str = "\u{1}";

/// Marks with the spaces that `to_string` adds to them, in the order of their removal.
const SPACED: &[&str] = &[
    " :: ", ":: ", " < ", " >", "< ", " ,", "& ", " ;", " .. ", "( ", " )", " (", " [", "' ",
    " . ", " ?", "[ ", " ]",
];

/// The text without the spaces around punctuation.
fn tidy(text: &str) -> String {
    if !text.contains([' ', '\n']) {
        return text.to_owned();
    }
    let text = text.replace('\n', " ").replace(" : ", ": ");
    let mut text = text.replace(" && ", AND);
    for path in MACRO_PATHS {
        text = text.replace(path, "");
    }
    for mark in SPACED {
        text = text.replace(mark, mark.trim());
    }
    with_closures(&with_prefixes(&text.replace(AND, " && ")))
}

/// The text without the spaces inside of the bars around a closure's parameters.
fn with_closures(text: &str) -> String {
    let mut written = String::new();
    // `true` between the bars of a closure.
    let mut is_open = false;
    for word in text.split_inclusive(' ') {
        let bar = word.trim_end().strip_suffix('|');
        match bar {
            Some("") if is_open => {
                written.truncate(written.trim_end().len());
                written.push_str(word);
                is_open = false;
            }
            Some(before) if !is_open && begins_closure(&written, before) => {
                written.push_str(word.trim_end());
                is_open = true;
            }
            _ => written.push_str(word),
        }
    }
    written
}

/// Returns `true` if a bar after `text` and `before` begins a closure, and is no operator.
fn begins_closure(text: &str, before: &str) -> bool {
    match before.chars().last() {
        Some(last) => "([{,;=&".contains(last),
        None => {
            let text = text.trim_end();
            let is_keyword = matches!(text.rsplit(' ').next(), Some("move" | "return"));
            is_keyword
                || text.is_empty()
                || text.ends_with(['(', '[', '{', ',', ';', '=', '>'])
                || text.ends_with("(move")
        }
    }
}

/// The text without the space between a prefix operator and its operand.
fn with_prefixes(text: &str) -> String {
    let mut written = String::new();
    let mut is_prefix = false;
    for letter in text.chars() {
        if letter == ' ' && is_prefix {
            continue;
        }
        let before = written.trim_end().chars().last();
        let begins = before.is_none_or(|before| "([{,;=&|+-*/!<".contains(before));
        is_prefix = matches!(letter, '*' | '!' | '-') && begins;
        written.push(letter);
    }
    written
}

#[cfg(test)]
mod tests;
