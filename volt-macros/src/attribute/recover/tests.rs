//! Functions and blocks with a body that does not parse.

use quote::quote;
use syn::parse_quote;

use super::*;

#[test]
fn unparsed_body_keeps_the_signature() {
    let function = with_unparsed_body(
        quote!(#[must_use] pub async fn f<T>(x: T) -> u32 { let x = foo(). }),
        &parse_quote!(::volt),
    );
    let function = function.unwrap();
    assert_eq!(function.sig.ident, "f");
    assert_eq!(function.attrs.len(), 1);
}

#[test]
fn unparsed_signature_is_not_recovered() {
    assert!(with_unparsed_body(quote!(async fn f(x: ) {}), &parse_quote!(::volt)).is_err());
    assert!(
        with_unparsed_body(
            quote!(
                struct S;
            ),
            &parse_quote!(::volt)
        )
        .is_err()
    );
}

#[test]
fn unparsed_body_keeps_the_block() {
    let block = with_unparsed_bodies(
        quote! {
            impl<T> Conn<T> { const N: u8 = 1; async fn f(&self) { self. } fn g() {} }
        },
        &parse_quote!(::volt),
    );
    assert_eq!(block.unwrap().items.len(), 3);
    assert!(with_unparsed_bodies(quote!(fn f() { x. }), &parse_quote!(::volt)).is_none());
}
