//! `FunctionTokens`: a function as tokens and as text, written once for all searches in it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::ItemFn;

use super::method::Method;
use crate::names::is_mark;
use crate::syntax::contains_ident;

/// The signature and the body of a function, without its attributes and its visibility.
///
/// To print a function is slow, and so is a search through its tokens. A name that is no part of
/// the text is none of the tokens either.
pub(crate) struct FunctionTokens {
    tokens: TokenStream,
    text: String,
}

impl FunctionTokens {
    /// Returns the tokens of a function, as the compiler passed them to the macro.
    pub(crate) fn of_item(item_tokens: &TokenStream) -> Self {
        let mut tokens: Vec<TokenTree> = item_tokens.clone().into_iter().collect();
        let begin = begin(&tokens);
        Self::new(tokens.drain(begin..).collect())
    }

    /// Prints a function, or a method as it is written.
    pub(crate) fn printed(item: &ItemFn, method: Option<&Method>) -> Self {
        let (sig, block) = match method {
            Some(method) => (&method.original.sig, &method.original.block),
            None => (&item.sig, &*item.block),
        };
        Self::new(quote!(#sig #block))
    }

    fn new(tokens: TokenStream) -> Self {
        let text = tokens.to_string();
        Self { tokens, text }
    }

    pub(crate) fn tokens(&self) -> &TokenStream {
        &self.tokens
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the word is among the tokens, at any depth.
    pub(crate) fn contains(&self, word: &str) -> bool {
        find(&self.text, word, 0).is_some() && contains_ident(self.tokens.clone(), word)
    }

    /// Returns `true` if the text contains the name once, which is at its declaration.
    pub(crate) fn has_once(&self, name: &str) -> bool {
        let first = find(&self.text, name, 0);
        first.is_some_and(|at| find(&self.text, name, at + name.len()).is_none())
    }
}

/// Returns the first place of a word at or after a place. A macro that is not optimised takes fewer
/// instructions for this loop than for a search of the standard library.
fn find(text: &str, word: &str, from: usize) -> Option<usize> {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let (mut at, first) = (from, *word.first()?);
    while at + word.len() <= text.len() {
        if text[at] == first && &text[at..at + word.len()] == word {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Returns the number of tokens before the signature: those of attributes and of the visibility.
fn begin(tokens: &[TokenTree]) -> usize {
    let mut at = 0;
    while at + 1 < tokens.len() && is_mark(&tokens[at], '#') {
        at += 2;
    }
    if matches!(tokens.get(at), Some(TokenTree::Ident(word)) if word == "pub") {
        at += 1;
        let is_list = |group: &proc_macro2::Group| group.delimiter() == Delimiter::Parenthesis;
        at += usize::from(matches!(tokens.get(at), Some(TokenTree::Group(it)) if is_list(it)));
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(tokens: TokenStream) -> String {
        FunctionTokens::of_item(&tokens).text
    }

    #[test]
    fn attributes_and_the_visibility_are_left_out() {
        let plain = text_of(quote!(
            async fn read(n: u8) -> u8 {
                n
            }
        ));
        let item = quote!(
            #[doc = "read"]
            #[must_use]
            pub(in a::read) async fn read(n: u8) -> u8 {
                n
            }
        );
        assert_eq!(text_of(item), plain);
        assert_eq!(
            text_of(quote!(
                pub async fn read(n: u8) -> u8 {
                    n
                }
            )),
            plain
        );
    }

    #[test]
    fn tokens_of_an_item_equal_printed_ones() {
        let tokens = quote!(
            #[inline]
            pub async unsafe fn read(n: u8) -> u8 {
                n
            }
        );
        let item: ItemFn = syn::parse2(tokens.clone()).expect("it is a function");
        assert_eq!(text_of(tokens), FunctionTokens::printed(&item, None).text);
    }

    #[test]
    fn a_part_of_a_word_is_no_word() {
        let function = FunctionTokens::of_item(&quote!(
            async fn read() {
                secrets().await;
            }
        ));
        assert!(!function.contains("secret"));
        assert!(function.contains("secrets"));
        assert!(function.has_once("read"));
        assert!(!function.has_once("re"), "`secrets` contains it, too");
    }
}
