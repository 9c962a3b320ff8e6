//! Items in a body: which of them may be repeated.
//!
//! A machine repeats the items of a block wherever it enters that block again. Of a `use`, a type
//! alias, a constant or a function nobody can tell; of everything else one could.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree};

use super::tokens::doubts;
use crate::state_machine::errors::Rule;
use crate::state_machine::parse::is_condition;
use crate::state_machine::scope::{brings_all, names_of_item, names_of_use};

/// Names of locals in the expansion, which an item of that name would hide.
const RESERVED: &[&str] = &[
    "at", "begin", "beside", "child", "constant", "cx", "early", "future", "initial", "it", "kept",
    "machine", "marker", "next", "output", "part", "place", "rest", "size", "state", "states",
    "value",
];

/// What is wrong with an item of a body, if it may not be repeated.
pub(super) fn doubt(item: &Item) -> Option<Rule> {
    let (attrs, is_simple) = match item {
        Item::Use(item) => (&item.attrs, !hides(&item.tree)),
        Item::Type(item) => (&item.attrs, true),
        Item::Const(item) => (&item.attrs, is_plain(item.to_token_stream())),
        Item::Fn(item) => (&item.attrs, is_plain(item.block.to_token_stream())),
        _ => return Some(Rule::RepeatedItem),
    };
    if attrs.iter().any(is_condition) {
        return Some(Rule::ConfiguredStatement);
    }
    if names_of_item(item).into_iter().any(is_reserved) {
        return Some(Rule::ReservedName);
    }
    let is_simple = is_simple && attrs.iter().all(is_lint);
    (!is_simple).then_some(Rule::RepeatedItem)
}

/// Whether what the item holds is the same each time that it stands somewhere.
fn is_plain(tokens: TokenStream) -> bool {
    let macros = doubts(tokens.clone()).into_iter();
    let mut macros = macros.filter(|(rule, _)| *rule == Rule::UnknownMacro);
    macros.next().is_none() && !holds_static(tokens)
}

/// Whether there is a `static`, which is not the lifetime.
fn holds_static(tokens: TokenStream) -> bool {
    let mut after_quote = false;
    tokens.into_iter().any(|token| {
        let is_lifetime = std::mem::take(&mut after_quote);
        match token {
            TokenTree::Group(group) => holds_static(group.stream()),
            TokenTree::Ident(word) => word == "static" && !is_lifetime,
            TokenTree::Punct(mark) => {
                after_quote = mark.as_char() == '\'';
                false
            }
            TokenTree::Literal(_) => false,
        }
    })
}

/// Whether a `use` may hide a local of the expansion. What is found in a type are its variants.
fn hides(tree: &UseTree) -> bool {
    let mut names = names_of_use(tree).into_iter();
    brings_all_of_module(tree) || names.any(is_reserved)
}

fn brings_all_of_module(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) if matches!(*path.tree, UseTree::Glob(_)) => {
            !path.ident.to_string().starts_with(char::is_uppercase)
        }
        UseTree::Path(path) => brings_all_of_module(&path.tree),
        UseTree::Group(group) => group.items.iter().any(brings_all_of_module),
        tree => brings_all(tree),
    }
}

fn is_reserved(name: &Ident) -> bool {
    RESERVED.iter().any(|reserved| name == reserved)
}

/// Whether the attribute only speaks to the compiler's lints, or to readers.
fn is_lint(attr: &Attribute) -> bool {
    const LINTS: &[&str] = &[
        "allow", "deny", "doc", "expect", "inline", "must_use", "warn",
    ];
    LINTS.iter().any(|name| attr.path().is_ident(name))
}
