//! Every identifier that the expansion makes up.
//!
//! Locals and labels of the expansion are hygienic: no name in the user's code can mean them.
//! Items cannot be, so they begin with the name of the machine.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{GenericParam, Lifetime};

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

/// `not-async` for `NotAsync`: the place of a reason in the book.
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

/// The function beside one that another attribute runs: `__main_machine` for `main`.
pub(crate) fn run_function(function: &Ident) -> Ident {
    let name = function.to_string();
    let name = name.trim_start_matches("r#");
    format_ident!("__{name}_machine", span = function.span())
}

/// What the user calls a function: `main` for `__main_machine`.
pub(crate) fn own_name(function: &Ident) -> String {
    let name = function.to_string();
    let inner = name.strip_prefix("__");
    let inner = inner.and_then(|name| name.strip_suffix("_machine"));
    inner.unwrap_or(&name).to_owned()
}

/// The machine's type: that of a method begins with the name of the method's own type, and one that
/// every module has is told apart by `Machine`.
pub(crate) fn machine(owner: Option<&Ident>, function: &Ident) -> Ident {
    let owner = owner.map(|owner| upper_camel(&owner.to_string()));
    let name = owner.unwrap_or_default() + &upper_camel(&function.to_string());
    let span = function.span();
    if name.is_empty() || is_in_prelude(&name) {
        format_ident!("{name}Machine", span = span)
    } else {
        format_ident!("{name}", span = span)
    }
}

/// What stands for `self` outside of the `impl`.
pub(crate) fn receiver(span: Span) -> Ident {
    Ident::new(RECEIVER, span)
}

/// The argument that stands for `self`.
pub(crate) const RECEIVER: &str = "__self";

/// The tokens, of which the last is as if the user had written it. A lint speaks of an item only if its signature
/// begins and ends in the user's text: one of them is that a function is never used.
pub(crate) fn as_if_written(tokens: TokenStream, span: Span) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let Some(last) = tokens.last_mut() {
        last.set_span(span);
    }
    tokens.into_iter().collect()
}

/// The tokens of a declaration, of which the signs and groups are as if the user had written
/// them: lints speak of it. Names
/// keep their hygiene.
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

/// The tokens, which begin and end where those of `user` do: what the compiler says of the whole, it says there.
pub(crate) fn in_place_of(user: &TokenStream, tokens: TokenStream) -> TokenStream {
    let mut places = user.clone().into_iter().map(|token| match token {
        TokenTree::Group(group) => (group.span_open(), group.span_close()),
        token => (token.span(), token.span()),
    });
    let Some((begin, end)) = places.next() else {
        return tokens;
    };
    let end = places.last().map_or(end, |(_, end)| end);
    // All of a path at its beginning: a sign of two characters is one token to the compiler.
    let mut tokens: Vec<TokenTree> = located_at(tokens, begin).into_iter().collect();
    if let Some(last) = tokens.last_mut() {
        last.set_span(last.span().located_at(end));
    }
    tokens.into_iter().collect()
}

/// The tokens, of which what the compiler says is said at `place`. They are the macro's all the same.
pub(crate) fn located_at(tokens: TokenStream, place: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    tokens.collect()
}

/// A name as its user wrote it.
pub(crate) fn written(name: &Ident) -> String {
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

/// A label of the expansion.
pub(crate) fn label(name: &str) -> Lifetime {
    Lifetime::new(&format!("'{name}"), Span::mixed_site())
}

/// A path of the expansion, where errors about what is reached by it should point.
pub(crate) fn path_at(path: &syn::Path, span: Span) -> TokenStream {
    tokens_at(path.to_token_stream(), span)
}

/// The tokens, where errors about them should point.
pub(crate) fn tokens_at(tokens: TokenStream, span: Span) -> TokenStream {
    each_token(tokens, &mut |mut token| {
        token.set_span(token.span().located_at(span));
        token
    })
}

/// Whether a token is this mark.
pub(crate) fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// Whether a token is found, however deep.
pub(crate) fn any_token(tokens: TokenStream, is_found: &mut dyn FnMut(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| {
        is_found(&token)
            || matches!(token, TokenTree::Group(group) if any_token(group.stream(), is_found))
    })
}

/// The tokens, of which each is changed, however deep: a group after what is in it.
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

/// What stands for a local of the user's, of which the brackets are the user's own: where the compiler's code panics within an
/// expression that begins or ends with it, as of `x / y`, it says so at the user's place.
pub(crate) fn within_user(tokens: TokenStream, span: Span) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let [TokenTree::Group(group)] = &mut tokens[..] {
        group.set_span(span);
    }
    tokens.into_iter().collect()
}

#[cfg(test)]
mod tests;
