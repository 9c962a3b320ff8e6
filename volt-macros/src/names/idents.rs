//! The identifiers of the expansion.
//!
//! Locals and labels of the expansion are hygienic: no name in the user's code refers to them.
//! Items cannot be hygienic, so they begin with the name of the machine.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{Expr, ExprPath, GenericParam, Lifetime};

use super::std_items::is_in_prelude;

/// `FetchPage` for `fetch_page`.
pub(crate) fn upper_camel(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut camel = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    camel
}

/// `not-async` for `NotAsync`: the anchor of a reason in the book.
pub(crate) fn kebab(camel: &str) -> String {
    let mut kebab = String::new();
    for letter in camel.chars() {
        if letter.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(letter.to_lowercase());
    }
    kebab
}

/// The inner function of one that another attribute runs: `__main_machine` for `main`.
pub(crate) fn run_function(function: &Ident) -> Ident {
    let name = function.to_string();
    let name = name.trim_start_matches("r#");
    format_ident!("__{name}_machine", span = function.span())
}

/// The user's name of a function: `main` for `__main_machine`.
pub(crate) fn own_name(function: &Ident) -> String {
    let name = function.to_string();
    let inner = name.strip_prefix("__");
    let inner = inner.and_then(|name| name.strip_suffix("_machine"));
    inner.unwrap_or(&name).to_owned()
}

/// The type of the machine. The name for a method begins with the name of its type. A name of the
/// prelude gets the suffix `Machine`, and a number the prefix: `Machine1` for `_1`.
pub(crate) fn machine(owner: Option<&Ident>, function: &Ident) -> Ident {
    let owner = owner.map(Ident::to_string);
    let name = machine_text(owner.as_deref(), &function.to_string());
    Ident::new(&name, function.span())
}

/// The text of [`machine`].
pub(crate) fn machine_text(owner: Option<&str>, function: &str) -> String {
    let name = owner.map(upper_camel).unwrap_or_default() + &upper_camel(function);
    if name.starts_with(char::is_numeric) {
        format!("Machine{name}")
    } else if name.is_empty() || is_in_prelude(&name) {
        name + "Machine"
    } else {
        name
    }
}

/// The name of `self` outside of the `impl`.
pub(crate) fn receiver(span: Span) -> Ident {
    Ident::new(RECEIVER, span)
}

/// The argument for `self`. Code that other macros wrote has `__self`.
pub(crate) const RECEIVER: &str = "__volt_self";

/// The tokens, with the span of the user at the last one. A lint checks an item only if its
/// signature begins and ends in the user's text. One of these lints is `dead_code`.
pub(crate) fn as_if_written(tokens: TokenStream, span: Span) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let Some(last) = tokens.last_mut() {
        last.set_span(span);
    }
    tokens.into_iter().collect()
}

/// The tokens of a declaration, with the span of the user at marks and groups, so that lints check
/// it. Names keep their hygiene.
pub(crate) fn declared_by_user(tokens: TokenStream, span: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        let is_sign = matches!(&token, TokenTree::Punct(sign) if sign.as_char() != '\'');
        if is_sign || matches!(token, TokenTree::Group(_)) {
            token.set_span(span);
        }
        token
    });
    tokens.collect()
}

/// The tokens, with the place of `user` from its first to its last token, for messages of the
/// compiler.
pub(crate) fn in_place_of(user: &TokenStream, tokens: TokenStream) -> TokenStream {
    let mut places = user.clone().into_iter().map(|token| match token {
        TokenTree::Group(group) => (group.span_open(), group.span_close()),
        token => (token.span(), token.span()),
    });
    let Some((begin, end)) = places.next() else {
        return tokens;
    };
    let end = places.last().map_or(end, |(_, end)| end);
    // The first place is that of all tokens of a path, because a mark of two characters is one
    // token to the compiler.
    let mut tokens: Vec<TokenTree> = located_at(tokens, begin).into_iter().collect();
    if let Some(last) = tokens.last_mut() {
        last.set_span(last.span().located_at(end));
    }
    tokens.into_iter().collect()
}

/// Returns the place of the last token of an expression.
pub(crate) fn end_of(expr: &Expr) -> Span {
    match expr {
        Expr::Call(node) => node.paren_token.span.close(),
        Expr::MethodCall(node) => node.paren_token.span.close(),
        node => match node.to_token_stream().into_iter().last() {
            Some(TokenTree::Group(group)) => group.span_close(),
            last => last.map_or_else(Span::mixed_site, |token| token.span()),
        },
    }
}

/// The tokens with their hygiene, and with `place` for messages of the compiler.
pub(crate) fn located_at(tokens: TokenStream, place: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    tokens.collect()
}

/// A name as the user wrote it.
pub(crate) fn user_name(name: &Ident) -> String {
    if name == RECEIVER {
        "self".to_owned()
    } else {
        name.to_string()
    }
}

/// A generic parameter as an argument: its name.
pub(crate) fn parameter(param: &GenericParam) -> TokenStream {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.to_token_stream(),
        GenericParam::Type(param) => param.ident.to_token_stream(),
        GenericParam::Const(param) => param.ident.to_token_stream(),
    }
}

/// A local of the expansion.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Returns `true` if a local has the hygiene of this expansion, so that it is none of the user.
pub(crate) fn is_local(name: &Ident) -> bool {
    expansion(name.span()) == expansion(Span::mixed_site())
}

/// The number of the expansion to which a name belongs. Stable Rust shows it only in the debug
/// output of a span: `#4 bytes(5..9)`.
pub(crate) fn expansion(span: Span) -> Option<String> {
    let printed = format!("{span:?}");
    let (number, _) = printed.split_once(' ')?;
    number.starts_with('#').then(|| number.to_owned())
}

/// A label of the expansion.
pub(crate) fn label(name: &str) -> Lifetime {
    Lifetime::new(&format!("'{name}"), Span::mixed_site())
}

/// A path of the expansion, with the place for errors about its target.
pub(crate) fn path_at(path: &syn::Path, span: Span) -> TokenStream {
    tokens_at(path.to_token_stream(), span)
}

/// The tokens, with the place for errors about them.
pub(crate) fn tokens_at(tokens: TokenStream, span: Span) -> TokenStream {
    each_token(tokens, &mut |mut token| {
        token.set_span(token.span().located_at(span));
        token
    })
}

/// Returns `true` if a token is this mark.
pub(crate) fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// Returns `true` if the predicate holds for a token, at any depth.
pub(crate) fn any_token(tokens: TokenStream, is_found: &mut dyn FnMut(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| {
        is_found(&token)
            || matches!(token, TokenTree::Group(group) if any_token(group.stream(), is_found))
    })
}

/// The place of an identifier with a name by its number, or of the first one.
pub(crate) fn ident_span(tokens: TokenStream, name: &Ident, number: usize) -> Option<Span> {
    let mut found = Vec::new();
    any_token(tokens, &mut |token| {
        found.extend(
            matches!(token, TokenTree::Ident(ident) if ident == name).then(|| token.span()),
        );
        false
    });
    found.get(number).or(found.first()).copied()
}

/// The tokens, each changed by `change`, at any depth. A group is changed after its content.
pub(crate) fn each_token(
    tokens: TokenStream,
    change: &mut impl FnMut(TokenTree) -> TokenTree,
) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inner = each_token(group.stream(), change);
            let mut changed = Group::new(group.delimiter(), inner);
            changed.set_span(group.span());
            change(changed.into())
        }
        token => change(token),
    });
    tokens.collect()
}

/// The replacement for a local of the user, whose brackets have the span of the user. The compiler
/// reports a panic of `x / y` at the first and last token of the expression, so it is reported at
/// the user's place.
pub(crate) fn within_user(tokens: TokenStream, span: Span) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let [TokenTree::Group(group)] = &mut tokens[..] {
        group.set_span(span);
    }
    tokens.into_iter().collect()
}

/// Returns `true` for a function of the expansion, such as `__WellTyped::moved`. It stores none of
/// its arguments in another one.
pub(crate) fn is_of_expansion(function: &Expr) -> bool {
    let first = |path: &ExprPath| path.path.segments.first().map(|it| it.ident.clone());
    matches!(function, Expr::Path(path) if first(path).is_some_and(|it| it == "__WellTyped"))
}

#[cfg(test)]
mod tests;
