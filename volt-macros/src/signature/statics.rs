//! Types and bodies with `'static` for the lifetimes of a function, which constants do not know.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::Generics;

/// The names of the lifetimes that are declared.
pub(crate) fn lifetimes(generics: &Generics) -> Vec<Ident> {
    let declared = generics.lifetimes();
    declared.map(|param| param.lifetime.ident.clone()).collect()
}

/// The tokens with `'static` for each of these lifetimes.
pub(crate) fn with_static(tokens: TokenStream, declared: &[Ident]) -> TokenStream {
    let mut is_lifetime = false;
    let tokens = tokens.into_iter().map(|token| {
        let was_quote = std::mem::take(&mut is_lifetime);
        match token {
            TokenTree::Punct(ref punct) if punct.as_char() == '\'' => {
                is_lifetime = true;
                token
            }
            TokenTree::Ident(ident) if was_quote && declared.contains(&ident) => {
                TokenTree::Ident(Ident::new("static", ident.span()))
            }
            TokenTree::Group(group) => {
                let inner = with_static(group.stream(), declared);
                let mut replaced = Group::new(group.delimiter(), inner);
                replaced.set_span(group.span());
                TokenTree::Group(replaced)
            }
            token => token,
        }
    });
    tokens.collect()
}
