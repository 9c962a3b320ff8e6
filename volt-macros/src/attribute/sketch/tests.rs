//! Functions and blocks that somebody is still typing.

use quote::quote;
use syn::parse_quote;

use super::*;

#[test]
fn body_that_does_not_parse_leaves_the_signature() {
    let function = sketch(
        quote!(#[must_use] pub async fn f<T>(x: T) -> u32 { let x = foo(). }),
        &parse_quote!(::volt),
    );
    let function = function.unwrap();
    assert_eq!(function.sig.ident, "f");
    assert_eq!(function.attrs.len(), 1);
}

#[test]
fn signature_that_does_not_parse_leaves_nothing() {
    assert!(sketch(quote!(async fn f(x: ) {}), &parse_quote!(::volt)).is_none());
    assert!(
        sketch(
            quote!(
                struct S;
            ),
            &parse_quote!(::volt)
        )
        .is_none()
    );
}

#[test]
fn body_that_does_not_parse_leaves_the_block() {
    let block = sketch_of_block(
        quote! {
            impl<T> Conn<T> { const N: u8 = 1; async fn f(&self) { self. } fn g() {} }
        },
        &parse_quote!(::volt),
    );
    assert_eq!(block.unwrap().items.len(), 3);
    assert!(sketch_of_block(quote!(fn f() { x. }), &parse_quote!(::volt)).is_none());
}
