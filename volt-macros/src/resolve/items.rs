//! The items of a body: their names, and which of them can be there only once.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Item;

use crate::syntax::holds_word;

/// The name of the value or module that an item makes.
pub(super) fn name_of_item(item: &Item) -> Option<&Ident> {
    match item {
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Const(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        _ => None,
    }
}

/// Whether the item can be there only once. An explicit machine holds the items of its body more than once. Two of a
/// struct are two types, and nobody sees that; two of an `impl`, or of a symbol, are an error.
pub(super) fn is_there_once(item: &Item) -> bool {
    let is_there = |word: &&str| holds_word(item.to_token_stream(), word);
    ["impl", "no_mangle", "export_name"].iter().any(is_there)
}
