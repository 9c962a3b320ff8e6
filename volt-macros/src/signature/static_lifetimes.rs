//! Code with other lifetimes for those of a function: `'static` in constants, which cannot name
//! them, and lifetimes of its own in a type that is for all of them.

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
    replaced(tokens, &mut |name| {
        declared
            .contains(name)
            .then(|| Ident::new("static", name.span()))
    })
}

/// The tokens with another name for each lifetime that has one.
pub(crate) fn replaced(
    tokens: TokenStream,
    other: &mut dyn FnMut(&Ident) -> Option<Ident>,
) -> TokenStream {
    let mut is_lifetime = false;
    names::each_token(tokens, &mut |token| {
        let was_quote = std::mem::take(&mut is_lifetime);
        match token {
            TokenTree::Ident(name) if was_quote => other(&name).unwrap_or(name).into(),
            token => {
                is_lifetime = names::is_mark(&token, '\'');
                token
            }
        }
    })
}
