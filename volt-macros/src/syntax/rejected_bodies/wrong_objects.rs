//! Trait objects that do not exist.
//!
//! ```text
//! trait Handler { async fn handle(&self); }      handler: Box<dyn Handler>
//! ```
//!
//! The compiler reports such a type wherever it is written, and an expansion repeats the types of
//! the function. A function that names it stays as it is.

use proc_macro2::{TokenStream, TokenTree};

use crate::syntax::source::is_async_trait;

/// Returns `true` if a `dyn` among the tokens is followed by a trait of the module with an `async
/// fn`.
pub(crate) fn names_wrong_object(tokens: &TokenStream) -> bool {
    let mut is_after_dyn = false;
    tokens.clone().into_iter().any(|token| {
        let was_after_dyn = std::mem::take(&mut is_after_dyn);
        match token {
            TokenTree::Group(group) => names_wrong_object(&group.stream()),
            TokenTree::Ident(word) => {
                is_after_dyn = word == "dyn";
                was_after_dyn && is_async_trait(&word)
            }
            _ => false,
        }
    })
}
