//! Whether a body may await its own machine again, through a box.
//!
//! A constant that asks whether a coroutine is `Send` asks the machines that it keeps, in boxes too. Of
//! two that await each other in boxes each would ask the other first, for ever. So a machine that
//! boxes futures, or names itself, says that it is `Send`, and proves it in a function; nobody has
//! to ask then.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// Whether the body boxes futures, or names its own function.
pub(super) fn boxes(name: &Ident, body: TokenStream) -> bool {
    let mut before = String::new();
    body.into_iter().any(|token| match token {
        TokenTree::Ident(word) => {
            let found = word == *name
                || word == "boxed"
                || word == "BoxFuture"
                || (word == "pin" && before == "Box");
            before = word.to_string();
            found
        }
        TokenTree::Group(group) => boxes(name, group.stream()),
        _ => false,
    })
}
