//! `PathEnds`: the uses of a name in tokens, where it ends a path or calls a method.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::names::is_mark;

/// The uses of a name at the end of a path, or as a method.
pub(super) struct PathEnds<'a> {
    name: &'a Ident,
    /// The method that is called on the output of each call.
    mark: Ident,
    /// `true` if the output of a call is not awaited at once.
    pub(super) is_stored: bool,
    /// `true` if a use is no call.
    pub(super) is_value: bool,
}

impl<'a> PathEnds<'a> {
    pub(super) fn new(name: &'a Ident, mark: &Ident) -> Self {
        Self {
            name,
            mark: mark.clone(),
            is_stored: false,
            is_value: false,
        }
    }

    /// Returns the tokens, with a further method call after each call.
    pub(super) fn replace(&mut self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let (mut out, mut before) = (TokenStream::new(), [false; 2]);
        while let Some(token) = tokens.next() {
            let is_use = matches!(&token, TokenTree::Ident(word) if word == self.name);
            let is_end = is_use && (before[1] && !before[0] || before == [true, true]);
            before = [before[1], is_mark(&token, '.') || is_mark(&token, ':')];
            match token {
                TokenTree::Group(group) => self.group(&group).to_tokens(&mut out),
                token => token.to_tokens(&mut out),
            }
            if !is_end {
                continue;
            }
            let mut depth = 0;
            // A path of types may follow: `walk::<u32>(..)`.
            while let Some(next) =
                tokens.next_if(|next| depth > 0 || is_mark(next, ':') || is_mark(next, '<'))
            {
                depth += usize::from(is_mark(&next, '<'));
                depth -= usize::from(is_mark(&next, '>'));
                next.to_tokens(&mut out);
            }
            match tokens.next_if(is_call) {
                Some(TokenTree::Group(group)) => {
                    let group = self.group(&group);
                    self.is_stored |= !is_awaited(tokens.clone());
                    let mark = &self.mark;
                    out.extend(quote!(#group.#mark()));
                }
                other => {
                    self.is_value = true;
                    other.to_tokens(&mut out);
                }
            }
            before = [false; 2];
        }
        out
    }

    fn group(&mut self, group: &Group) -> Group {
        let mut inner = Group::new(group.delimiter(), self.replace(group.stream()));
        inner.set_span(group.span());
        inner
    }
}

/// Returns `true` if the tokens begin with `.await`.
fn is_awaited(mut tokens: impl Iterator<Item = TokenTree>) -> bool {
    let first = tokens.next();
    first.is_some_and(|first| is_mark(&first, '.'))
        && matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "await")
}

fn is_call(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
}
