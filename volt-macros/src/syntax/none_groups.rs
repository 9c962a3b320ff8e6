//! *None-delimited groups*: fragments of `macro_rules!` that must stay together.
//!
//! A fragment `$value:expr` reaches an attribute as a group with invisible delimiters. The compiler
//! ignores such delimiters in the output of an attribute. So `100 - $value` with `10 + 20` would
//! become `100 - 10 + 20`. Each of these groups gets visible delimiters here, if it needs any:
//!
//! ```text
//! 100 - ⟦10 + 20⟧        100 - (10 + 20)
//! ⟦Vec<u8>⟧::new()       <Vec<u8>>::new()
//! f(⟦a + b⟧, ⟦name⟧)     f(a + b, name)       no operator around them could split them
//! ⟦let x = 5⟧; ⟦pub⟧     let x = 5; pub       statements, items, visibilities
//! ```
//!
//! Parentheses are valid around expressions, types and patterns alike, so the kind of the fragment
//! does not matter.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::{Expr, Pat, Path, Type, parse2};

use crate::names::any_token;

/// The tokens without invisible groups, and with the same meaning.
pub(crate) fn preserve_groups(tokens: TokenStream) -> TokenStream {
    preserve_within(tokens, false)
}

fn has_fragment(tokens: &TokenStream) -> bool {
    let is_fragment = |group: &Group| group.delimiter() == Delimiter::None;
    let mut is_found = |token: &_| matches!(token, TokenTree::Group(group) if is_fragment(group));
    any_token(tokens.clone(), &mut is_found)
}

/// Tokens without a fragment stay as they are: the compiler knows their spaces, which `stringify!`
/// prints.
fn preserve_within(tokens: TokenStream, is_attribute: bool) -> TokenStream {
    if !has_fragment(&tokens) {
        return tokens;
    }
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            out.extend([token.clone()]);
            continue;
        };
        let surroundings = Surroundings {
            before: &tokens[..index],
            after: &tokens[index + 1..],
        };
        let preserved = surroundings.preserve(group, is_attribute);
        if tokens.len() == 1 {
            return preserved;
        }
        out.extend(preserved);
    }
    out
}

/// The delimiters that a fragment needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Parentheses,
    /// `<` and `>`, for a type before `::`.
    Angles,
    /// A semicolon, for a `let` that is a whole statement.
    Semicolon,
}

/// The tokens around a fragment, in the group that contains it.
#[derive(Clone, Copy)]
struct Surroundings<'t> {
    before: &'t [TokenTree],
    after: &'t [TokenTree],
}

impl Surroundings<'_> {
    /// Returns `true` if these brackets are those of an attribute.
    fn is_attribute(self, group: &Group) -> bool {
        let last = match self.before {
            [before @ .., last] if is_mark(last, "!") => before.last(),
            before => before.last(),
        };
        group.delimiter() == Delimiter::Bracket && last.is_some_and(|last| is_mark(last, "#"))
    }

    /// Writes the group that is here.
    fn preserve(self, group: &Group, is_attribute: bool) -> TokenStream {
        let is_fragment = group.delimiter() == Delimiter::None;
        let is_attribute = is_attribute || self.is_attribute(group);
        let inner = preserve_within(group.stream(), is_attribute);
        match (is_fragment, is_attribute) {
            (true, true) => inner,
            (true, false) => self.delimited(inner, group.span()),
            (false, _) => grouped(group.delimiter(), inner, group.span()),
        }
    }

    fn delimited(self, inner: TokenStream, span: Span) -> TokenStream {
        let span = Span::mixed_site().located_at(span);
        let mark = |mark| {
            let mut mark = Punct::new(mark, Spacing::Alone);
            mark.set_span(span);
            TokenStream::from(TokenTree::Punct(mark))
        };
        match self.needs(&inner) {
            Needs::Nothing => inner,
            Needs::Semicolon => [inner, mark(';')].into_iter().collect(),
            Needs::Parentheses => grouped(Delimiter::Parenthesis, inner, span),
            Needs::Angles => [mark('<'), inner, mark('>')].into_iter().collect(),
        }
    }

    fn needs(self, inner: &TokenStream) -> Needs {
        let tokens: Vec<TokenTree> = inner.clone().into_iter().collect();
        let follows = |marks: &str| self.after.first().is_some_and(|next| is_mark(next, marks));
        if self.is_before_path() {
            return match parse2(inner.clone()) {
                Ok(Expr::Path(_)) => Needs::Nothing,
                _ => Needs::Angles,
            };
        }
        // `n as $type < 4`: the mark would begin the arguments of the type.
        if self.before.last().is_some_and(|last| is_word(last, "as")) && follows("<") {
            return Needs::Parentheses;
        }
        if tokens.first().is_some_and(|first| is_word(first, "let")) {
            return if follows(";") {
                Needs::Nothing
            } else {
                Needs::Semicolon
            };
        }
        if self.keeps_together(&tokens, inner) {
            Needs::Nothing
        } else {
            Needs::Parentheses
        }
    }

    /// Returns `true` if no token around the fragment can split it.
    fn keeps_together(self, tokens: &[TokenTree], inner: &TokenStream) -> bool {
        if tokens.len() <= 1 || self.is_apart() || is_other(tokens, inner) {
            return true;
        }
        match tokens {
            [mark, TokenTree::Literal(_)] if is_mark(mark, "-") && !self.is_called() => true,
            _ => self.binds(inner),
        }
    }

    /// Returns `true` if `::` follows.
    fn is_before_path(self) -> bool {
        match self.after {
            [TokenTree::Punct(first), second, ..] => {
                first.as_char() == ':' && first.spacing() == Spacing::Joint && is_mark(second, ":")
            }
            _ => false,
        }
    }

    /// Returns `true` if the fragment is alone between separators, where nothing can split it.
    fn is_apart(self) -> bool {
        let ends = |token: Option<&TokenTree>| token.is_none_or(|token| is_mark(token, ",;"));
        ends(self.before.last()) && ends(self.after.first())
    }

    /// Returns `true` if a field, a method, an index or arguments follow.
    fn is_called(self) -> bool {
        match self.after.first() {
            Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Brace,
            Some(next) => is_mark(next, ".?"),
            None => false,
        }
    }

    /// Returns `true` if a statement may begin here, and no token continues with its value.
    fn is_statement(self) -> bool {
        let begins = match self.before.last() {
            None => true,
            Some(TokenTree::Group(group)) => encloses_statements(group),
            Some(last) => is_mark(last, ";"),
        };
        let ends = match self.after.first() {
            Some(TokenTree::Punct(next)) => matches!(next.as_char(), ';' | '#' | '\''),
            Some(TokenTree::Group(next)) => encloses_statements(next),
            Some(TokenTree::Ident(next)) => next != "as",
            _ => true,
        };
        begins && ends
    }

    /// Returns `true` for a statement, or for an expression or a type that no operator can split.
    fn binds(self, inner: &TokenStream) -> bool {
        if parse2::<Path>(inner.clone()).is_ok() {
            return true;
        }
        let is_call = matches!(self.after.first(), Some(TokenTree::Group(next)) if next.delimiter() == Delimiter::Parenthesis);
        match parse2::<Expr>(inner.clone()) {
            Ok(Expr::Field(_)) => !is_call,
            Ok(Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Index(_)) => true,
            Ok(
                Expr::If(_) | Expr::Match(_) | Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_),
            ) => self.is_statement(),
            Ok(Expr::Block(_) | Expr::Unsafe(_)) => self.is_statement(),
            Ok(Expr::Macro(node)) => !matches!(node.mac.delimiter, syn::MacroDelimiter::Brace(_)),
            _ => false,
        }
    }
}

fn grouped(delimiter: Delimiter, inner: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(delimiter, inner);
    group.set_span(span);
    TokenTree::Group(group).into()
}

/// Returns `true` for tokens that are neither expression nor type nor pattern, or that contain no
/// operator.
fn is_other(tokens: &[TokenTree], inner: &TokenStream) -> bool {
    let binds = |word: &TokenTree| matches!(word, TokenTree::Ident(ident) if ident == "mut" || ident == "ref");
    let is_rest = tokens.iter().all(|token| is_mark(token, "."));
    let parses = || {
        parse2::<Expr>(inner.clone()).is_ok()
            || parse2::<Type>(inner.clone()).is_ok()
            || Pat::parse_multi_with_leading_vert
                .parse2(inner.clone())
                .is_ok()
    };
    is_rest || matches!(tokens, [word, _] if binds(word)) || !parses()
}

/// Returns `true` for a block, or for a fragment that may be one.
fn encloses_statements(group: &Group) -> bool {
    matches!(group.delimiter(), Delimiter::Brace | Delimiter::None)
}

fn is_mark(token: &TokenTree, marks: &str) -> bool {
    matches!(token, TokenTree::Punct(mark) if marks.contains(mark.as_char()))
}

fn is_word(token: &TokenTree, known: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == known)
}

#[cfg(test)]
mod tests;
