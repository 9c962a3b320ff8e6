//! `OwnType`: the calls that certainly mean the method, by the type before its name.
//!
//! ```text
//! Self::sum(..)   Tree::sum(..)   self.sum()          in `impl Tree`: its own method
//! other::Tree::sum(..)   Alias::sum(..)   tree.sum()  may have an inferred output
//! { use other::Tree; Tree::sum(..) }                  may, because the block hides the type
//! ```
//!
//! The path of the type in the head of the `impl` has the same meaning in the body, unless a
//! generic parameter, an item or an import of the body hides it. A macro at the place of a
//! statement may declare such an item if it contains the name, and uses it for more than a path.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Block, GenericArgument, GenericParam, Generics, Item, Path, PathArguments, Stmt, Type,
    TypePath, UseTree,
};

use super::super::own_uses::{has_glob, imports};
use crate::names::{self, is_mark, known};
use crate::signature::Method;

/// The keywords of items whose names may hide a type.
const ITEMS: [&str; 6] = ["enum", "mod", "struct", "trait", "type", "union"];

/// The certainty that a call is one of the method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::backend::boxed_recursion) enum Certainty {
    Certain,
    Possible,
}

impl Certainty {
    pub(in crate::backend::boxed_recursion) fn of(is_certain: bool) -> Self {
        if is_certain {
            Self::Certain
        } else {
            Self::Possible
        }
    }
}

/// The type of an `impl`.
pub(in crate::backend::boxed_recursion) struct OwnType<'a> {
    /// Its path in the head of an inherent `impl`. A path to a method of a trait may mean an
    /// inherent method.
    path: Option<&'a Path>,
    generics: &'a Generics,
    /// `true` if the name may mean another item in the current block.
    is_hidden: bool,
}

impl<'a> OwnType<'a> {
    pub(in crate::backend::boxed_recursion) fn of(method: &'a Method) -> Self {
        let target = &method.impl_target;
        let path = match &target.self_ty {
            Type::Path(TypePath {
                qself: None, path, ..
            }) => Some(path),
            _ => None,
        };
        let mut own = Self {
            path: path.filter(|_| target.trait_path.is_none()),
            generics: &target.generics,
            is_hidden: false,
        };
        let mut params = method.original.sig.generics.params.iter();
        let first = own.first().map(Ident::to_string);
        own.is_hidden = params.any(|param| Some(name_of(param)) == first);
        own
    }

    /// Enters a block, whose items may hide the type. Returns the value to restore at its end.
    pub(in crate::backend::boxed_recursion) fn enter(&mut self, block: &Block) -> bool {
        let hides = block.stmts.iter().any(|stmt| match stmt {
            Stmt::Item(item) => self.is_declared_by(item),
            Stmt::Macro(stmt) => known(&stmt.mac).is_none() && self.may_be_in(&stmt.mac.tokens),
            Stmt::Local(_) | Stmt::Expr(..) => false,
        });
        self.hide(hides)
    }

    /// Enters the tokens of a macro, which may be a block with items.
    pub(in crate::backend::boxed_recursion) fn enter_macro(
        &mut self,
        tokens: &TokenStream,
    ) -> bool {
        let hides = self.has_item_of(tokens);
        self.hide(hides)
    }

    fn hide(&mut self, hides: bool) -> bool {
        let was_hidden = self.is_hidden;
        self.is_hidden |= hides;
        was_hidden
    }

    /// Leaves a block.
    pub(in crate::backend::boxed_recursion) fn leave(&mut self, was_hidden: bool) {
        self.is_hidden = was_hidden;
    }

    /// Returns `true` if a macro with these tokens may declare an item of the name around its call.
    fn may_be_in(&self, tokens: &TokenStream) -> bool {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let is_path = |at: usize| tokens.get(at + 1).is_some_and(|next| is_mark(next, ':'));
        tokens.iter().enumerate().any(|(at, token)| match token {
            TokenTree::Group(group) => self.may_be_in(&group.stream()),
            TokenTree::Ident(word) => self.is_name(word) && !is_path(at),
            _ => false,
        })
    }

    /// Returns `true` if tokens contain an import, or the declaration of an item of the name.
    fn has_item_of(&self, tokens: &TokenStream) -> bool {
        let mut is_declared = false;
        tokens.clone().into_iter().any(|token| match token {
            TokenTree::Group(group) => self.has_item_of(&group.stream()),
            TokenTree::Ident(word) => {
                let is_item = std::mem::take(&mut is_declared) && self.is_name(&word);
                is_declared = ITEMS.iter().any(|item| word == item);
                is_item || word == "use"
            }
            _ => false,
        })
    }

    /// Returns the certainty that a path leads to the method, which is its last segment.
    pub(in crate::backend::boxed_recursion) fn certainty(&self, callee: &Path) -> Certainty {
        let mut segments: Vec<_> = callee.segments.iter().collect();
        segments.pop();
        let is_self = matches!(&*segments, [only] if only.ident == "Self");
        let is_named = self.path.filter(|_| !self.is_hidden).is_some_and(|own| {
            let mut pairs = own.segments.iter().zip(&segments);
            own.segments.len() == segments.len()
                && own.leading_colon.is_some() == callee.leading_colon.is_some()
                && pairs.all(|(own, given)| {
                    own.ident == given.ident && self.is_instance(&own.arguments, &given.arguments)
                })
        });
        Certainty::of(is_self || is_named)
    }

    /// Returns the same for the last of the tokens, which is the name of a method.
    pub(in crate::backend::boxed_recursion) fn certainty_in(
        &self,
        tokens: &[TokenTree],
    ) -> Certainty {
        match tokens {
            [.., receiver, point, _] if is_mark(point, '.') => Certainty::of(is_self(receiver)),
            _ => {
                let path = tokens[start_of_path(tokens)..].iter().cloned().collect();
                syn::parse2(path).map_or(Certainty::Possible, |path| self.certainty(&path))
            }
        }
    }

    /// Returns `true` if a path of the name begins with this word.
    fn is_name(&self, word: &Ident) -> bool {
        self.first().is_some_and(|first| first == word)
    }

    fn first(&self) -> Option<&'a Ident> {
        let first = self.path.and_then(|path| path.segments.first());
        first.map(|first| &first.ident)
    }

    /// Returns `true` if an item has the name, imports it, or may import any name.
    fn is_declared_by(&self, item: &Item) -> bool {
        match item {
            Item::Enum(item) => self.is_name(&item.ident),
            Item::Mod(item) => self.is_name(&item.ident),
            Item::Struct(item) => self.is_name(&item.ident),
            Item::Trait(item) => self.is_name(&item.ident),
            Item::TraitAlias(item) => self.is_name(&item.ident),
            Item::Type(item) => self.is_name(&item.ident),
            Item::Union(item) => self.is_name(&item.ident),
            Item::ExternCrate(item) => {
                let renamed = item.rename.as_ref().map(|(_, name)| name);
                self.is_name(renamed.unwrap_or(&item.ident))
            }
            Item::Use(item) => self.is_imported_by(&item.tree),
            Item::Macro(item) => self.may_be_in(&item.mac.tokens),
            _ => false,
        }
    }

    fn is_imported_by(&self, tree: &UseTree) -> bool {
        has_glob(tree) || self.first().is_some_and(|first| imports(tree, first))
    }

    /// Returns `true` if generic arguments select the `impl`: none, those of its head, or any, if
    /// each argument in the head is a parameter.
    fn is_instance(&self, own: &PathArguments, given: &PathArguments) -> bool {
        let (own, given) = (types_of(own), types_of(given));
        let is_general = || {
            let names: BTreeSet<String> = self.generics.params.iter().map(name_of).collect();
            let found: BTreeSet<_> = own.iter().filter(|text| names.contains(*text)).collect();
            !own.is_empty() && found.len() == own.len()
        };
        given.is_empty() || own == given || is_general()
    }
}

fn name_of(param: &GenericParam) -> String {
    names::parameter(param).to_string()
}

/// Returns generic arguments without lifetimes, as texts.
fn types_of(arguments: &PathArguments) -> Vec<String> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return Vec::new();
    };
    let types = arguments
        .args
        .iter()
        .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)));
    types.map(|ty| ty.to_token_stream().to_string()).collect()
}

fn is_self(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(word) if word == "self")
}

/// Returns the place at which the path begins that ends with the last token.
fn start_of_path(tokens: &[TokenTree]) -> usize {
    let mut start = tokens.len() - 1;
    while ends_with_colons(&tokens[..start]) {
        start = start_of_segment(&tokens[..start - 2]);
    }
    start
}

/// Returns the place of the last word, which generic arguments may follow: `Tree::<u32>`.
fn start_of_segment(tokens: &[TokenTree]) -> usize {
    let (mut start, mut depth) = (tokens.len(), 0_usize);
    while start > 0 && (depth > 0 || is_mark(&tokens[start - 1], '>')) {
        start -= 1;
        depth += usize::from(is_mark(&tokens[start], '>'));
        depth -= usize::from(is_mark(&tokens[start], '<'));
    }
    if ends_with_colons(&tokens[..start]) {
        start -= 2;
    }
    start.saturating_sub(1)
}

fn ends_with_colons(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., first, second] if is_mark(first, ':') && is_mark(second, ':'))
}
