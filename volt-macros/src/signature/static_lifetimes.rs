//! Code with `'static` for the lifetimes of a function, which constants cannot name.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::Generics;

use crate::names;

/// The names of the declared lifetimes.
pub(crate) fn lifetimes(generics: &Generics) -> Vec<Ident> {
    let declared = generics.lifetimes();
    declared.map(|param| param.lifetime.ident.clone()).collect()
}

/// The tokens with `'static` for each of these lifetimes.
pub(crate) fn with_static(tokens: TokenStream, declared: &[Ident]) -> TokenStream {
    let mut is_lifetime = false;
    names::each_token(tokens, &mut |token| {
        let was_quote = std::mem::take(&mut is_lifetime);
        match token {
            TokenTree::Ident(name) if was_quote && declared.contains(&name) => {
                Ident::new("static", name.span()).into()
            }
            token => {
                is_lifetime = names::is_mark(&token, '\'');
                token
            }
        }
    })
}
