//! A function whose body does not parse: somebody is still typing it.
//!
//! The body is left to the compiler alone, so that the function and its machine stay what they are to the
//! rest of the crate, and one sees the mistake only where it is, and once.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::{ItemFn, ItemImpl, Path};

/// The function with a body that is not looked into, if no more than the body is wrong.
pub(crate) fn sketch(item: TokenStream, volt: &Path) -> Option<ItemFn> {
    syn::parse2(unread(item, volt)).ok()
}

/// The block with such bodies, if no more than the bodies are wrong.
pub(crate) fn sketch_of_block(item: TokenStream, volt: &Path) -> Option<ItemImpl> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let Some(TokenTree::Group(block)) = tokens.pop() else {
        return None;
    };
    let mut bodies = Group::new(block.delimiter(), unread(block.stream(), volt));
    bodies.set_span(block.span());
    tokens.push(bodies.into());
    syn::parse2(tokens.into_iter().collect()).ok()
}

/// The tokens with a macro around each body. What is wrong in it the compiler has said before, and shows once.
fn unread(tokens: TokenStream, volt: &Path) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
            quote_spanned!(body.span()=> { #volt::__private::unread!(#body) })
        }
        other => other.into(),
    });
    tokens.collect()
}

#[cfg(test)]
mod tests;
