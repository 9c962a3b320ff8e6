//! The items of a body: their names, and the items that cannot be repeated.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Arm, Item, Pat, PatIdent};

use crate::syntax::{contains_ident, words};

/// The name of the value or module that an item declares.
pub(super) fn name_of_item(item: &Item) -> Option<&Ident> {
    match item {
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Const(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        _ => None,
    }
}

/// Returns `true` if the item cannot be repeated. An explicit machine contains the items of its
/// body more than once. Two copies of a struct are two types, which has no effect. Two copies of an
/// `impl`, or of a symbol, are an error.
pub(super) fn must_be_unique(item: &Item) -> bool {
    let is_there = |word: &&str| contains_ident(item.to_token_stream(), word);
    ["impl", "no_mangle", "export_name"].iter().any(is_there)
}

/// The names that items of the body may give to constants and variants. In a pattern such a name
/// binds nothing.
#[derive(Debug, Default)]
pub(super) struct Constants {
    names: BTreeSet<String>,
    /// `true` if an item imports unknown names: `use Level::*`.
    are_hidden: bool,
}

impl Constants {
    pub(super) fn add(&mut self, item: &Item) {
        if let Item::Use(item) = item {
            self.are_hidden |= item.to_token_stream().to_string().contains('*');
            let imported = words(item.to_token_stream()).into_iter();
            self.names.extend(imported.map(|(name, _)| name));
        }
        self.names
            .extend(name_of_item(item).map(ToString::to_string));
    }

    /// Returns `true` if an identifier pattern may be such a name.
    pub(super) fn may_be(&self, pat: &PatIdent) -> bool {
        is_bare(pat) && (self.are_hidden || self.names.contains(&pat.ident.to_string()))
    }
}

/// The name in an arm that precedes other arms. If it were a binding, those would be unreachable.
pub(super) fn constant_of_arms(arms: &[Arm]) -> Option<&PatIdent> {
    let (_, before) = arms.split_last()?;
    before.iter().find_map(|arm| match &arm.pat {
        Pat::Ident(pat) if is_bare(pat) => Some(pat),
        _ => None,
    })
}

fn is_bare(pat: &PatIdent) -> bool {
    pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none()
}
