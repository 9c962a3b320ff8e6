//! The arguments of known macros, and the captures of their format strings.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Macro, Token};

use super::format_captures::captured;
use super::source::is_std_macro;
use crate::names::{Known, any_token, formats_by_edition, is_event, is_json, is_mark, known};

/// The number of arguments before the format string of a macro, if it has one.
pub(crate) fn before_format(mac: &Macro) -> Option<usize> {
    match known(mac) {
        Some(Known::Formats(before) | Known::Asserts(before)) => Some(before),
        _ => (is_event(mac) && !is_json(mac)).then_some(0),
    }
}

/// Returns `true` if the word is among the tokens, at any depth.
pub(crate) fn contains_ident(tokens: TokenStream, word: &str) -> bool {
    any_token(
        tokens,
        &mut |token| matches!(token, TokenTree::Ident(ident) if ident == word),
    )
}

/// Returns `true` if a call among the tokens may move the local: its name is in parentheses, or a
/// method follows it.
pub(crate) fn may_move_in_call(tokens: &TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let in_group = |token: &TokenTree| match token {
        TokenTree::Group(group) => contains_ident(group.stream(), name),
        _ => false,
    };
    let called = |two: &[TokenTree]| {
        matches!(&two[0], TokenTree::Ident(word) if word == name) && is_mark(&two[1], '.')
    };
    tokens.iter().any(in_group) || tokens.windows(2).any(called)
}

/// Returns `true` if a call among the tokens of a nested value may move the local. Lists and
/// objects are no calls, and a field is borrowed.
pub(crate) fn may_move_in_value(tokens: &TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_call = |at: usize| match &tokens[at] {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            contains_ident(group.stream(), name)
        }
        TokenTree::Group(group) => may_move_in_value(&group.stream(), name),
        TokenTree::Ident(word) if word == name => {
            is_called(&tokens[at + 1..]) || is_before(&tokens[at + 1..], ':')
        }
        _ => false,
    };
    (0..tokens.len()).any(is_call)
}

/// Returns `true` if a reference may not take the place of the local in an unknown macro. It may
/// where the local is a whole argument, `%name`, a value of a list or an object, or a receiver.
pub(crate) fn needs_value(tokens: &TokenStream, name: &str) -> bool {
    needs_value_in(tokens, name, false)
}

/// `is_called`: the tokens are the arguments of a call, or an index.
fn needs_value_in(tokens: &TokenStream, name: &str, is_called: bool) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_needed = |at: usize| {
        let (before, after) = (&tokens[..at], &tokens[at + 1..]);
        match &tokens[at] {
            TokenTree::Group(group) => {
                let is_index = matches!(before, [.., TokenTree::Ident(_) | TokenTree::Group(_)]);
                let is_called = match group.delimiter() {
                    Delimiter::Bracket => is_index,
                    Delimiter::Brace => false,
                    Delimiter::Parenthesis | Delimiter::None => true,
                };
                needs_value_in(&group.stream(), name, is_called)
            }
            TokenTree::Ident(word) if word == name => {
                let is_argument = !is_called && begins_argument(before) && is_end(after);
                let is_receiver = is_before(after, '.') && !ends_in_word(before, "mut");
                !(is_argument || is_receiver || is_before(after, '='))
            }
            _ => false,
        }
    };
    (0..tokens.len()).any(is_needed)
}

/// Returns `true` if an argument may begin behind these tokens: `,`, `key =`, `"key":`, `%`, `&`.
fn begins_argument(before: &[TokenTree]) -> bool {
    let is_single = |mark: &TokenTree| !matches!(mark, TokenTree::Punct(_)) || is_mark(mark, ',');
    match before {
        [] => true,
        [.., first, TokenTree::Punct(last)] => {
            last.as_char() == ',' || "=:%?&".contains(last.as_char()) && is_single(first)
        }
        [TokenTree::Punct(last)] => "%?&,".contains(last.as_char()),
        _ => false,
    }
}

fn is_end(after: &[TokenTree]) -> bool {
    after.first().is_none_or(|token| is_mark(token, ','))
}

fn ends_in_word(tokens: &[TokenTree], word: &str) -> bool {
    matches!(tokens, [.., TokenTree::Ident(last)] if last == word)
}

/// Returns `true` if the tokens begin with the mark alone: `:` and not `::`, `=` and not `==`.
fn is_before(after: &[TokenTree], mark: char) -> bool {
    match after {
        [first, second, ..] => {
            is_mark(first, mark) && !is_mark(second, mark) && !is_mark(second, '>')
        }
        [first] => is_mark(first, mark),
        [] => false,
    }
}

/// Returns `true` if a method follows, on the value or on a field of it.
fn is_called(after: &[TokenTree]) -> bool {
    match after {
        [
            TokenTree::Punct(point),
            TokenTree::Ident(_),
            TokenTree::Group(_),
            ..,
        ] => point.as_char() == '.',
        [TokenTree::Punct(point), _, rest @ ..] if point.as_char() == '.' => is_called(rest),
        _ => false,
    }
}

/// Parses expressions with commas between them.
fn listed(mac: &Macro) -> Option<Vec<Expr>> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated;
    let list = list.parse2(mac.tokens.clone()).ok()?;
    Some(list.into_iter().collect())
}

/// Returns `true` if the arguments are no list of expressions. To try to parse one would cost as
/// much as all other work on them.
fn has_semicolon(mac: &Macro) -> bool {
    let mut tokens = mac.tokens.clone().into_iter();
    tokens.any(|token| is_mark(&token, ';'))
}

/// Parses a value and a count, with a semicolon between them.
fn repeated(mac: &Macro) -> Option<Vec<Expr>> {
    let repeated = |input: syn::parse::ParseStream<'_>| {
        let value = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(vec![value, input.parse()?])
    };
    repeated.parse2(mac.tokens.clone()).ok()
}

/// The arguments of a known macro.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) known: Known,
    pub(crate) exprs: Vec<Expr>,
    /// `true` for `vec![value; count]`.
    repeats: bool,
    /// `true` if some editions format a single literal, and others print it as it is.
    formats_by_edition: bool,
}

impl Arguments {
    /// Parses the arguments, if the macro is known and they are expressions.
    pub(crate) fn of(mac: &Macro) -> Option<Self> {
        let known = known(mac)?;
        let (exprs, repeats) = match known {
            Known::Constant => (Vec::new(), false),
            Known::List if has_semicolon(mac) => (repeated(mac)?, true),
            _ => (listed(mac)?, false),
        };
        Some(Self {
            known,
            exprs,
            repeats,
            formats_by_edition: formats_by_edition(mac),
        })
    }

    /// The value of each argument, without the name that a format string may use for it.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Expr> {
        self.exprs.iter().map(|expr| match expr {
            Expr::Assign(named) if self.formats() => &*named.right,
            expr => expr,
        })
    }

    /// The value of each argument, as a mutable reference.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let formats = self.formats();
        let exprs = self.exprs.iter_mut();
        exprs.map(move |expr| match (formats, expr) {
            (true, Expr::Assign(named)) => &mut *named.right,
            (_, expr) => expr,
        })
    }

    /// The number of arguments that an assertion always evaluates.
    pub(crate) fn conditions(&self) -> Option<usize> {
        match self.known {
            Known::Asserts(conditions) => Some(conditions),
            _ => None,
        }
    }

    /// Returns `true` if the macro prints the source of its arguments.
    pub(crate) fn prints_text(&self) -> bool {
        self.known == Known::Asserts(1) && self.exprs.len() == 1
    }

    /// Returns `true` if the macro takes the argument by value, instead of borrowing it.
    pub(crate) fn takes(&self, index: usize) -> bool {
        match self.known {
            Known::List | Known::Constant => true,
            Known::Asserts(conditions) => conditions == 1 && index == 0,
            Known::Formats(_) => false,
        }
    }

    /// The index of the format string.
    pub(super) fn format_index(&self) -> Option<usize> {
        match self.known {
            Known::Formats(at) | Known::Asserts(at) => Some(at),
            Known::List | Known::Constant => None,
        }
    }

    fn formats(&self) -> bool {
        matches!(self.known, Known::Formats(_) | Known::Asserts(_))
    }

    /// Names the locals that the format string captures: `"{x}"` becomes `"{x}", x = x`. Before
    /// edition 2021, `panic!` and `assert!` do not format a single literal. So those arguments are
    /// marked, and `settled` removes them.
    pub(crate) fn name_captures(&mut self, locals: &BTreeSet<String>) {
        let Some(at) = self.format_index() else {
            return;
        };
        let Some(Expr::Lit(literal)) = self.exprs.get(at) else {
            return;
        };
        let Lit::Str(text) = &literal.lit else { return };
        let (value, span) = (text.value(), text.span());
        let may_be_plain = self.formats_by_edition && self.exprs.len() == at + 1;
        let mut named: Vec<String> = self.exprs.iter().filter_map(name_of).collect();
        for name in captured(&value) {
            if locals.contains(name)
                && !named.iter().any(|known| known == name)
                && let Some(ident) = ident(name, span)
            {
                let mark = may_be_plain.then(|| marker(span));
                self.exprs.push(syn::parse_quote!(#mark #ident = #ident));
                named.push(name.to_owned());
            }
        }
    }

    /// The arguments as tokens.
    pub(crate) fn tokens(&self) -> TokenStream {
        let exprs = &self.exprs;
        if self.repeats {
            quote!(#(#exprs);*)
        } else {
            quote!(#(#exprs),*)
        }
    }
}

/// The mark of an argument that is removed where the tokens are written.
fn marker(span: Span) -> TokenStream {
    quote_spanned!(span=> #[volt_captured])
}

/// A name that a format string captures.
pub(super) fn ident(name: &str, span: Span) -> Option<Ident> {
    let ident = syn::parse_str::<Ident>(name);
    let ident = ident.or_else(|_| syn::parse_str(&format!("r#{name}")));
    let mut ident = ident.ok()?;
    ident.set_span(span);
    Some(ident)
}

fn name_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Assign(named) => {
            let name = last_word(&named.left)?.to_string();
            Some(name.trim_start_matches("r#").to_owned())
        }
        _ => None,
    }
}

/// The name of an argument, without its mark.
fn last_word(left: &Expr) -> Option<Ident> {
    match left.to_token_stream().into_iter().last() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}

/// The arguments of a macro of the standard library that awaits in them and does not print their
/// tokens. An await in them can be changed as one outside of the macro.
pub(crate) fn visible_awaits(mac: &Macro) -> Option<Arguments> {
    let has_await = contains_ident(mac.tokens.clone(), "await");
    let name = mac.path.get_ident().filter(|_| has_await)?;
    let arguments = Arguments::of(mac)?;
    let is_visible = arguments.known != Known::Constant && !arguments.prints_text();
    (is_visible && is_std_macro(name)).then_some(arguments)
}

/// Calls `change` with each expression in the arguments of a known macro. Returns `false` for an
/// unknown macro.
pub(crate) fn each_argument(mac: &mut Macro, mut change: impl FnMut(&mut Expr)) -> bool {
    let Some(mut arguments) = Arguments::of(mac) else {
        return false;
    };
    if arguments.known != Known::Constant {
        arguments.values_mut().for_each(&mut change);
        mac.tokens = arguments.tokens();
    }
    true
}

/// The words among tokens, and the names that literals among them capture.
pub(crate) fn words(tokens: TokenStream) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    any_token(tokens, &mut |token| {
        match token {
            TokenTree::Ident(word) => found.push((word.to_string(), word.span())),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                found.extend(captured(&text).map(|name| (name.to_owned(), literal.span())));
            }
            _ => {}
        }
        false
    });
    found
}
