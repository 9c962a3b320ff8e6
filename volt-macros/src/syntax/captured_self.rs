//! `self` that a format string captures: `"{self}"`.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Block, Item, Lit, Macro, Path, Token};

use super::assertion::ends_with_comma;
use super::captures::captured;
use super::macros::before_format;
use crate::names::{any_token, is_mark, receiver};

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

/// The first text within a macro that may capture `self`. Any macro may format it, also one that is
/// not known.
pub(crate) fn text_with_self(block: &Block) -> Option<Literal> {
    struct Find(Option<Literal>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_macro(&mut self, mac: &'ast Macro) {
            any_token(mac.tokens.clone(), &mut |token| {
                if let TokenTree::Literal(literal) = token
                    && captures_self(literal)
                {
                    self.0.get_or_insert_with(|| literal.clone());
                }
                self.0.is_some()
            });
        }
    }
    let mut find = Find(None);
    find.visit_block(block);
    find.0
}

/// Returns `true` if a macro in the block names `self` or `Self`, by a token or in a text.
pub(crate) fn macros_name_self(block: &Block) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0 |= any_token(mac.tokens.clone(), &mut |token| match token {
                TokenTree::Ident(word) => word == "self" || word == "Self",
                TokenTree::Literal(literal) => captures_self(literal),
                _ => false,
            });
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

/// Returns `true` if `self` is among the tokens and begins no path, or is captured by a text.
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
