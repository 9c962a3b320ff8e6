//! Conditions, as the compiler prints them.

use super::*;
use syn::parse_quote;

#[test]
fn condition_is_printed_as_the_compiler_does() {
    let text = |expr: Expr| assertion_text(&expr);
    let said = |text: &str| format!("assertion failed: {text}");
    assert_eq!(text(parse_quote!(w > 9)), said("w > 9"));
    assert_eq!(text(parse_quote!(d.0 == "x")), said(r#"d.0 == "x""#));
    assert_eq!(
        text(parse_quote!(!a::f(&mut w, v[0]))),
        said("!a::f(&mut w, v[0])")
    );
    assert_eq!(text(parse_quote!(even(&n).await)), said("even(&n).await"));
    assert_eq!(
        text(parse_quote!((a && b) || w.len() > 3)),
        said("(a && b) || w.len() > 3")
    );
}
