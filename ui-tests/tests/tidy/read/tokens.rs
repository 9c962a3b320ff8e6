//! Tokens in a row, and facts that follow from a few neighbours.

use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};

/// Tokens with a look at the neighbours.
pub(crate) struct Tokens {
    all: Vec<TokenTree>,
    next: usize,
    /// `true` if the last path began with `::` or `$`.
    foreign: bool,
}

impl Tokens {
    pub(crate) fn new(stream: TokenStream) -> Self {
        Self {
            all: stream.into_iter().collect(),
            next: 0,
            foreign: false,
        }
    }

    pub(crate) fn next(&mut self) -> Option<TokenTree> {
        let token = self.all.get(self.next).cloned();
        self.next += 1;
        token
    }

    pub(crate) fn peek(&self) -> Option<&TokenTree> {
        self.all.get(self.next)
    }

    pub(crate) fn at_mark(&self, mark: char) -> bool {
        self.peek().is_some_and(|token| is_mark(token, mark))
    }

    pub(crate) fn skip_mark(&mut self, mark: char) -> bool {
        let found = self.at_mark(mark);
        self.next += usize::from(found);
        found
    }

    /// Skips the `(..)` of `pub(..)`.
    pub(crate) fn skip_scope(&mut self) {
        if let Some(TokenTree::Group(group)) = self.peek() {
            self.next += usize::from(group.delimiter() == Delimiter::Parenthesis);
        }
    }

    pub(crate) fn until_semicolon(&mut self) -> Vec<TokenTree> {
        let rest = self.all.get(self.next..).unwrap_or_default();
        let taken: Vec<_> = rest
            .iter()
            .take_while(|token| !is_mark(token, ';'))
            .cloned()
            .collect();
        self.next += taken.len() + 1;
        taken
    }

    /// Reads on from `first`, which was just taken, while `::name` follows.
    pub(crate) fn path_from(&mut self, first: &Ident) -> Vec<String> {
        let before = self.next.checked_sub(2).and_then(|at| self.all.get(at));
        self.foreign = before.is_some_and(|token| is_mark(token, ':') || is_mark(token, '$'))
            && !self.is_type_colon(self.next.wrapping_sub(2));
        let mut segments = vec![first.to_string()];
        while let Some(segment) = self.path_segment() {
            segments.push(segment);
            self.next += 3;
        }
        segments
    }

    fn path_segment(&self) -> Option<String> {
        let colons = [self.next, self.next + 1].map(|at| self.all.get(at));
        let both = colons
            .iter()
            .all(|token| token.is_some_and(|token| is_mark(token, ':')));
        match self.all.get(self.next + 2) {
            Some(TokenTree::Ident(name)) if both => Some(name.to_string()),
            _ => None,
        }
    }

    /// Returns `true` if the `:` at `at` is single, as in `name: Type`.
    fn is_type_colon(&self, at: usize) -> bool {
        let joint = at.checked_sub(1).and_then(|before| self.all.get(before));
        is_mark(&self.all[at], ':')
            && !matches!(joint, Some(TokenTree::Punct(mark))
                if mark.as_char() == ':' && mark.spacing() == Spacing::Joint)
    }

    pub(crate) fn was_foreign(&self) -> bool {
        self.foreign
    }

    /// `name!(..)`, `name! { .. }`, `macro_rules! name { .. }`, but not `a != b`.
    pub(crate) fn is_macro_call(&self) -> bool {
        let bang = matches!(self.peek(), Some(TokenTree::Punct(mark))
            if mark.as_char() == '!' && mark.spacing() == Spacing::Alone);
        bang && matches!(
            self.all.get(self.next + 1),
            Some(TokenTree::Group(_) | TokenTree::Ident(_))
        )
    }

    /// The name in `macro_rules! name`, where the `!` is next.
    pub(crate) fn defined_macro(&self) -> Option<String> {
        match self.all.get(self.next + 1) {
            Some(TokenTree::Ident(name)) => Some(name.to_string()),
            _ => None,
        }
    }
}

pub(crate) fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

pub(crate) fn line(span: Span) -> usize {
    span.start().line
}

/// All identifiers of a stream, at any depth, in order.
pub(crate) fn words_of(stream: TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    for token in stream {
        match token {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => words.extend(words_of(group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    words
}

/// Returns `true` if a `cfg` names `test` outside `not(..)`.
pub(crate) fn asks_for_test(stream: TokenStream) -> bool {
    let mut negated = false;
    for token in stream {
        match token {
            TokenTree::Ident(word) if word == "test" => return true,
            TokenTree::Ident(word) => negated = word == "not",
            TokenTree::Group(group) if !negated && asks_for_test(group.stream()) => return true,
            _ => {}
        }
    }
    false
}

/// The file that the attribute `path = ".."` names.
pub(crate) fn path_of(stream: TokenStream) -> Option<String> {
    let mut tokens = stream.into_iter();
    let is_path = matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "path");
    let quoted = tokens.nth(1).filter(|_| is_path)?.to_string();
    Some(quoted.trim_matches('"').to_owned())
}
