//! The items of a body: their names, and the items that cannot be repeated.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Arm, Block, Generics, Item, ItemImpl, Macro, Pat, PatIdent, Path, Stmt, Type};

use crate::names::known;
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
/// body more than once. Two copies of a struct are two types, so an `impl` of a declared type or
/// trait has two copies, too. Two copies of another `impl`, or of a symbol, are an error.
pub(super) fn must_be_unique(item: &Item, declared: &BTreeSet<String>) -> bool {
    let is_there = |word: &&str| contains_ident(item.to_token_stream(), word);
    if ["no_mangle", "export_name"].iter().any(is_there) {
        return true;
    }
    let mut impls = ForeignImpls {
        declared,
        is_found: false,
    };
    impls.visit_item(item);
    impls.is_found
}

/// Returns `true` for a constant without a name that only checks something: `const _: () =
/// assert!(LIMIT < 8);`. The copies of the body leave it out, because the compiler reports a panic
/// of each constant with the path of that constant. Its code declares nothing.
pub(super) fn is_only_evaluated(item: &Item) -> bool {
    let Item::Const(constant) = item else {
        return false;
    };
    let mut declared = Declarations {
        may_be_found: false,
    };
    declared.visit_item_const(constant);
    constant.ident == "_" && !declared.may_be_found
}

/// Finds items, and macros whose expansion may contain one.
struct Declarations {
    may_be_found: bool,
}

impl<'ast> Visit<'ast> for Declarations {
    fn visit_item(&mut self, _: &'ast Item) {
        self.may_be_found = true;
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let declares = known(mac).is_none() || contains_ident(mac.tokens.clone(), "impl");
        self.may_be_found |= declares;
    }
}

/// Finds an `impl` that is neither of a declared type nor of a declared trait.
struct ForeignImpls<'n> {
    declared: &'n BTreeSet<String>,
    is_found: bool,
}

impl ForeignImpls<'_> {
    fn is_declared(&self, path: &Path, generics: &Generics) -> bool {
        let mut parameters = generics.type_params();
        let is_single = path.leading_colon.is_none() && path.segments.len() == 1;
        path.segments.first().is_some_and(|first| {
            let is_known = self.declared.contains(&first.ident.to_string());
            is_single && is_known && !parameters.any(|parameter| parameter.ident == first.ident)
        })
    }
}

impl<'ast> Visit<'ast> for ForeignImpls<'_> {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of_type = match &*item.self_ty {
            Type::Path(ty) if ty.qself.is_none() => self.is_declared(&ty.path, &item.generics),
            _ => false,
        };
        let of_trait = item.trait_.as_ref();
        let of_trait = of_trait.is_some_and(|(path, _)| self.is_declared(path, &item.generics));
        self.is_found |= !of_type && !of_trait;
        visit::visit_item_impl(self, item);
    }

    /// The expansion of a macro may contain an `impl`.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.is_found |= contains_ident(mac.tokens.clone(), "impl");
    }
}

/// The names of the types and traits that a block declares.
pub(super) fn declared_types(block: &Block) -> BTreeSet<String> {
    let names = block.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Item(Item::Struct(item)) => Some(&item.ident),
        Stmt::Item(Item::Enum(item)) => Some(&item.ident),
        Stmt::Item(Item::Union(item)) => Some(&item.ident),
        Stmt::Item(Item::Trait(item)) => Some(&item.ident),
        _ => None,
    });
    names.map(ToString::to_string).collect()
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
