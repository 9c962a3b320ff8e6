//! What is refused, and why, and what to write instead.

use proc_macro2::Span;

/// An error of the house's form.
pub(super) fn refuse(span: Span, what: &str, reason: &str, instead: &str) -> syn::Error {
    let text = format!("{what}\n  = reason: {reason}\n  = instead: {instead}");
    syn::Error::new(span, text)
}
