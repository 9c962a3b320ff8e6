//! `PathEnds`: the uses of a name in tokens, where it ends a path or calls a method.

mod own_type;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

pub(super) use self::own_type::{Certainty, OwnType};
use crate::names::is_mark;

/// The uses of a name at the end of a path, or as a method.
pub(super) struct PathEnds<'a> {
    name: &'a Ident,
    /// The method that is called on the output of each call.
    mark: Ident,
    /// The type whose calls get marks. Without it, each call gets one.
    marked_type: Option<&'a OwnType<'a>>,
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
            marked_type: None,
            is_stored: false,
            is_open: false,
            is_value: false,
        }
    }

    /// Marks only the calls that certainly mean a method of the type.
    pub(super) fn only_of(self, own_type: &'a OwnType<'a>) -> Self {
        Self {
            marked_type: Some(own_type),
            ..self
        }
    }

    /// Returns the tokens, with a further method call after each call.
    pub(super) fn replace(&mut self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let (mut out, mut before) = (TokenStream::new(), Vec::new());
        while let Some(token) = tokens.next() {
            before.push(token.clone());
            let is_use = matches!(&token, TokenTree::Ident(word) if word == self.name);
            match token {
                TokenTree::Group(group) => self.group(&group).to_tokens(&mut out),
                token => token.to_tokens(&mut out),
            }
            if !is_use || !is_end(&before) {
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
                    self.group(&group).to_tokens(&mut out);
                    let mark = self.mark_of(&before, after(tokens.clone()));
                    out.extend(mark.map(|mark| quote!(.#mark())));
                }
                other => {
                    self.is_value = true;
                    other.to_tokens(&mut out);
                }
            }
            before.clear();
        }
        out
    }

    /// Returns the mark of a call. The last token is the name of the method.
    fn mark_of(&mut self, call: &[TokenTree], after: AfterCall) -> Option<Ident> {
        let is_certain = |own: &OwnType<'_>| own.certainty_in(call) == Certainty::Certain;
        let is_marked = after == AfterCall::Known || self.marked_type.is_none_or(is_certain);
        let is_stored = after != AfterCall::Await;
        self.is_stored |= is_stored;
        self.is_open |= is_stored && !is_marked;
        is_marked.then(|| self.mark.clone())
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

/// The code after a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AfterCall {
    /// `.await`
    Await,
    /// A method, a field or `?`: the compiler knows the type of the output.
    Known,
    Other,
}

fn after(mut tokens: impl Iterator<Item = TokenTree>) -> AfterCall {
    match (tokens.next(), tokens.next()) {
        (Some(first), _) if is_mark(&first, '?') => AfterCall::Known,
        (Some(first), Some(TokenTree::Ident(word))) if is_mark(&first, '.') && word == "await" => {
            AfterCall::Await
        }
        (Some(first), Some(second)) if is_mark(&first, '.') && !is_mark(&second, '.') => {
            AfterCall::Known
        }
        _ => AfterCall::Other,
    }
}

fn is_call(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
}
