//! A function whose body does not parse: somebody is still typing it.
//!
//! The signature is read alone, so that the function and its machine stay what they are to the
//! rest of the crate, and one sees the mistake only where it is.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, ItemFn, Signature, Visibility, braced, parse_quote};

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

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn body_that_does_not_parse_leaves_the_signature() {
        let function =
            sketch(quote!(#[must_use] pub async fn f<T>(x: T) -> u32 { let x = foo(). }));
        let function = function.unwrap();
        assert_eq!(function.sig.ident, "f");
        assert_eq!(function.attrs.len(), 1);
    }

    #[test]
    fn signature_that_does_not_parse_leaves_nothing() {
        assert!(sketch(quote!(async fn f(x: ) {})).is_none());
        assert!(
            sketch(quote!(
                struct S;
            ))
            .is_none()
        );
    }
}
