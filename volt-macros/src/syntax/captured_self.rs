//! `self` that a format string captures: `"{self}"`.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Block, Item, Lit, Macro, Path, Token};

use super::assertion::ends_with_comma;
use super::format_captures::captured;
use super::macros::{before_format, ident};
use crate::names::{any_token, is_event, is_json, is_mark, known, prints_own_source, receiver};

/// Passes the receiver to a macro whose format string captures `self`: `"{self}"` becomes
/// `"{self}", self = __volt_self`.
pub(crate) fn name_captured_self(mac: &mut Macro) {
    let Some(before) = before_format(mac) else {
        return;
    };
    let tokens: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
    if let Some(at) = format_string(&tokens, before)
        && let TokenTree::Literal(literal) = &tokens[at]
        && captures_self(literal)
    {
        let argument = receiver(Span::call_site().located_at(literal.span()));
        let comma = (!ends_with_comma(&mac.tokens)).then(<Token![,]>::default);
        mac.tokens = quote!(#(#tokens)* #comma self = #argument);
    }
}

/// Passes an event the locals that its format string captures: `"{n}"` becomes `"{n}", n = n`.
pub(crate) fn name_event_captures(mac: &mut Macro, locals: &BTreeSet<String>) {
    if known(mac).is_some() || is_json(mac) || !is_event(mac) {
        return;
    }
    let tokens: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
    let Some(at) = format_string(&tokens, 0) else {
        return;
    };
    let (TokenTree::Literal(literal), after) = (&tokens[at], &tokens[at + 1..]) else {
        return;
    };
    let Lit::Str(text) = Lit::new(literal.clone()) else {
        return;
    };
    let value = text.value();
    let is_new = |name: &&str| locals.contains(*name) && !names_argument(after, name);
    let names: BTreeSet<&str> = captured(&value).filter(is_new).collect();
    let names = names
        .into_iter()
        .filter_map(|name| ident(name, text.span()));
    let names: Vec<Ident> = names.collect();
    if !names.is_empty() {
        let comma = (!ends_with_comma(&mac.tokens)).then(<Token![,]>::default);
        mac.tokens = quote!(#(#tokens)* #comma #(#names = #names),*);
    }
}

/// Returns `true` if an argument after the format string has this name: `n = 1`.
fn names_argument(after: &[TokenTree], name: &str) -> bool {
    let is_name = |token: &TokenTree| match token {
        TokenTree::Ident(word) => word.to_string().trim_start_matches("r#") == name,
        _ => false,
    };
    let mut pairs = after.windows(2);
    pairs.any(|pair| is_name(&pair[0]) && is_mark(&pair[1], '='))
}

/// The first literal in a macro that may name `self`: one that captures it, which any macro may
/// format, or one in the arguments of a macro that prints its source.
pub(crate) fn text_with_self(block: &Block) -> Option<TokenTree> {
    struct Find(Option<TokenTree>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_macro(&mut self, mac: &'ast Macro) {
            let found = || text_in(mac.to_token_stream());
            self.0 = self.0.take().or_else(found);
        }
    }
    let mut find = Find(None);
    find.visit_block(block);
    find.0
}

/// The first such token among the tokens of a macro.
fn text_in(tokens: TokenStream) -> Option<TokenTree> {
    let mut tokens = tokens.into_iter().peekable();
    let mut prints = false;
    while let Some(token) = tokens.next() {
        let is_called = tokens.peek().is_some_and(|next| is_mark(next, '!'));
        match &token {
            TokenTree::Ident(name) if is_called => prints = prints_own_source(name),
            TokenTree::Literal(literal) if captures_self(literal) => return Some(token),
            TokenTree::Group(group) if prints && holds_self(group.stream()) => return Some(token),
            TokenTree::Group(group) => {
                prints = false;
                if let Some(found) = text_in(group.stream()) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns `true` if `self` or `Self` is among the tokens, at any depth.
fn holds_self(tokens: TokenStream) -> bool {
    let is_self = |word: &Ident| word == "self" || word == "Self";
    any_token(
        tokens,
        &mut |token| matches!(token, TokenTree::Ident(word) if is_self(word)),
    )
}

/// Returns `true` if a macro in the block names `self` or `Self`, by a token or in a literal.
pub(crate) fn macros_name_self(block: &Block) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_macro(&mut self, mac: &'ast Macro) {
            let is_text = |token: &TokenTree| matches!(token, TokenTree::Literal(literal) if captures_self(literal));
            self.0 |=
                holds_self(mac.tokens.clone()) || any_token(mac.tokens.clone(), &mut { is_text });
        }
    }
    let mut find = Find(false);
    find.visit_block(block);
    find.0
}

/// Returns `true` if the block names the value `self`, outside of its items.
pub(crate) fn names_self(block: &Block) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_path(&mut self, path: &'ast Path) {
            self.0 |= path.is_ident("self");
            visit::visit_path(self, path);
        }

        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0 |= holds_value_self(mac.tokens.clone());
        }

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut find = Find(false);
    find.visit_block(block);
    find.0
}

/// Returns `true` if `self` is among the tokens and begins no path, or if a literal captures it.
fn holds_value_self(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_path = tokens.peek().is_some_and(|next| is_mark(next, ':'));
        let is_found = match token {
            TokenTree::Ident(word) => word == "self" && !is_path,
            TokenTree::Group(group) => holds_value_self(group.stream()),
            TokenTree::Literal(literal) => captures_self(&literal),
            TokenTree::Punct(_) => false,
        };
        if is_found {
            return true;
        }
    }
    false
}

fn captures_self(literal: &Literal) -> bool {
    match Lit::new(literal.clone()) {
        Lit::Str(text) => captured(&text.value()).any(|name| name == "self"),
        _ => false,
    }
}

/// The index of the format string: the first literal that is a whole argument, after that many
/// others.
fn format_string(tokens: &[TokenTree], before: usize) -> Option<usize> {
    let is_fully_written = |index: usize| {
        (index == 0 || is_comma(tokens.get(index - 1))) && is_comma(tokens.get(index + 1))
    };
    let mut commas = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Literal(_) if commas >= before && is_fully_written(index) => {
                return Some(index);
            }
            token if is_comma(Some(token)) => commas += 1,
            _ => {}
        }
    }
    None
}

/// Returns `true` if an argument ends here. A semicolon ends the fields of a `log` event.
fn is_comma(token: Option<&TokenTree>) -> bool {
    token.is_none_or(|token| is_mark(token, ',') || is_mark(token, ';'))
}

#[cfg(test)]
mod tests;
