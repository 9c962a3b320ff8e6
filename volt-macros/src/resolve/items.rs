//! The items of a body: their names, and which of them can be there only once.
//!
//! An explicit machine holds the items of its body more than once: beside the code that runs, and beside what
//! asks the compiler for sizes. Two of a struct are two types, and nobody sees that. Two of an `impl` for a type
//! of the crate are an error, and so are two functions with the name of one symbol.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemEnum, ItemImpl, ItemStruct, ItemUnion, Type};

use crate::doubt::{Doubts, Reason};
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

/// Doubts about items that can be there only once.
pub(super) fn check_items(items: &[Item], doubts: &mut Doubts) {
    let mut types = Types(BTreeSet::new());
    items.iter().for_each(|item| types.visit_item(item));
    let mut once = Once {
        types: &types.0,
        doubts,
    };
    items.iter().for_each(|item| once.visit_item(item));
}

/// The types that items declare.
struct Types(BTreeSet<String>);

impl<'ast> Visit<'ast> for Types {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.0.insert(item.ident.to_string());
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.0.insert(item.ident.to_string());
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.0.insert(item.ident.to_string());
    }
}

/// Looks for what can be there only once.
struct Once<'a> {
    types: &'a BTreeSet<String>,
    doubts: &'a mut Doubts,
}

impl<'ast> Visit<'ast> for Once<'_> {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let is_own = match &*item.self_ty {
            Type::Path(path) => path.path.segments.first().is_some_and(|first| {
                path.path.segments.len() == 1 && self.types.contains(&first.ident.to_string())
            }),
            _ => false,
        };
        if !is_own {
            self.doubts.note(Reason::ItemOnce, &item.self_ty);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        let is_symbol = |name: &&str| holds_word(attr.meta.to_token_stream(), name);
        if ["no_mangle", "export_name"].iter().any(is_symbol) {
            self.doubts.note(Reason::ItemOnce, attr);
        }
    }
}
