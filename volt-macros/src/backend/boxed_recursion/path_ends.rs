//! `PathEnds`: the uses of a name in tokens, where it ends a path or calls a method.

mod operand;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;

use self::operand::start_of_operand;
use crate::names::is_mark;

/// The uses of a name at the end of a path, or as a method.
pub(super) struct PathEnds<'a> {
    name: &'a Ident,
    /// The function that is called with the output of each call.
    mark: Ident,
    /// `true` if a use is a call.
    pub(super) is_call: bool,
    /// `true` if the output of a call is not awaited at once.
    pub(super) is_stored: bool,
    /// `true` if such a call gets no mark.
    pub(super) is_open: bool,
    /// `true` if a use is no call.
    pub(super) is_value: bool,
}

impl<'a> PathEnds<'a> {
    pub(super) fn new(name: &'a Ident, mark: &Ident) -> Self {
        Self {
            name,
            mark: mark.clone(),
            is_call: false,
            is_stored: false,
            is_open: false,
            is_value: false,
        }
    }

    /// Returns the tokens, with the mark around each call.
    pub(super) fn replace(&mut self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut out: Vec<TokenTree> = Vec::new();
        while let Some(token) = tokens.next() {
            let is_use = matches!(&token, TokenTree::Ident(word) if word == self.name);
            out.push(match token {
                TokenTree::Group(group) => self.group(&group).into(),
                token => token,
            });
            if !is_use || !is_end(&out) {
                continue;
            }
            let start = start_of_operand(&out);
            let mut depth = 0;
            // A path of types may follow: `walk::<u32>(..)`.
            while let Some(next) =
                tokens.next_if(|next| depth > 0 || is_mark(next, ':') || is_mark(next, '<'))
            {
                depth += usize::from(is_mark(&next, '<'));
                depth -= usize::from(is_mark(&next, '>'));
                out.push(next);
            }
            let Some(TokenTree::Group(group)) = tokens.next_if(is_call) else {
                self.is_value = true;
                continue;
            };
            out.push(self.group(&group).into());
            self.is_call = true;
            let is_stored = !is_awaited(tokens.clone());
            self.is_stored |= is_stored;
            self.is_open |= is_stored && start.is_none();
            if let Some(start) = start {
                let (mark, call) = (&self.mark, out.split_off(start));
                out.extend(quote!(#mark(#(#call)*)));
            }
        }
        out.into_iter().collect()
    }

    fn group(&mut self, group: &Group) -> Group {
        let mut inner = Group::new(group.delimiter(), self.replace(group.stream()));
        inner.set_span(group.span());
        inner
    }
}

/// Returns `true` if the last of the tokens is the end of a path or the name of a called method.
fn is_end(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., first, second, _] if is_mark(second, ':') => is_mark(first, ':'),
        [.., first, second, _] if is_mark(second, '.') => !is_mark(first, '.'),
        [first, _] => is_mark(first, '.'),
        _ => false,
    }
}

/// Returns `true` if `.await` follows.
fn is_awaited(mut tokens: impl Iterator<Item = TokenTree>) -> bool {
    let is_point = tokens.next().is_some_and(|first| is_mark(&first, '.'));
    is_point && matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "await")
}

fn is_call(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
}
