//! `TokenList`: tokens that many parts of an expansion contain.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};

/// A list of tokens.
///
/// `quote!` sends the compiler a request for each `TokenStream` that it joins to other tokens. For
/// a few tokens the request costs more than the tokens themselves.
#[derive(Clone)]
pub(crate) struct TokenList(Vec<TokenTree>);

impl TokenList {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        Self(tokens.into_iter().collect())
    }

    /// The tokens with their hygiene, and with `place` for messages of the compiler.
    pub(crate) fn located_at(mut self, place: Span) -> Self {
        for token in &mut self.0 {
            token.set_span(token.span().located_at(place));
        }
        self
    }
}

impl ToTokens for TokenList {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for token in &self.0 {
            tokens.append(token.clone());
        }
    }
}
