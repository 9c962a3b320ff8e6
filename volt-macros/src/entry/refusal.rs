//! What is refused, and why, and what to write instead.

use proc_macro2::Span;

/// An error of the house's form.
pub(super) fn refuse(span: Span, what: &str, reason: &str, instead: &str) -> syn::Error {
    let text = format!("{what}\n  = reason: {reason}\n  = instead: {instead}");
    syn::Error::new(span, text)
}

/// Adds an error to those found so far.
pub(super) fn add(found: &mut Option<syn::Error>, error: syn::Error) {
    match found {
        Some(errors) => errors.combine(error),
        None => *found = Some(error),
    }
}
