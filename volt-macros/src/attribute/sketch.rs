//! A function whose body does not parse: somebody is still typing it.
//!
//! The signature is read alone, so that the function and its machine stay what they are to the
//! rest of the crate, and one sees the mistake only where it is.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, ItemFn, ItemImpl, Signature, Visibility, braced, parse_quote};

/// A function without its body.
struct Sketch(ItemFn);

impl Parse for Sketch {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        let sig: Signature = input.parse()?;
        let body;
        braced!(body in input);
        body.parse::<TokenStream>()?;
        let mut function: ItemFn = parse_quote!(
            fn body() {
                ::core::panic!("the body does not parse")
            }
        );
        function.attrs = attrs;
        function.vis = vis;
        function.sig = sig;
        Ok(Self(function))
    }
}

/// The function with another body, if no more than the body is wrong.
pub(crate) fn sketch(item: TokenStream) -> Option<ItemFn> {
    syn::parse2::<Sketch>(item).ok().map(|sketch| sketch.0)
}

/// The block with other bodies, if no more than the bodies are wrong.
pub(crate) fn sketch_of_block(item: TokenStream) -> Option<ItemImpl> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let Some(TokenTree::Group(block)) = tokens.pop() else {
        return None;
    };
    let body = quote!({ ::core::panic!("a body does not parse") });
    let bodies = block.stream().into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => body.clone(),
        other => other.into(),
    });
    let bodies: TokenStream = bodies.collect();
    syn::parse2(quote!(#(#tokens)* { #bodies })).ok()
}

#[cfg(test)]
mod tests;
