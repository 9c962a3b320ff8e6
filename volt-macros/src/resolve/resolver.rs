//! Resolution of a function, in at most two walks: the first one finds the names that no local may
//! have.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, FnArg, Item, Pat, PatType, Signature};

use crate::fallback::Fallbacks;
use crate::names::{RECEIVER, is_mark};

use super::copied_items::allow_unsafe_operations;
use super::items::is_only_evaluated;
use super::local::{LocalData, LocalId, LocalKind};
use super::scopes::Scopes;

/// A body in which each local has a unique name.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) block: Block,
    /// In the order of their declarations, the arguments first.
    pub(crate) locals: Vec<LocalData>,
    /// The items of the body.
    pub(crate) items: Vec<Item>,
    /// Locals that the compiler suggests in the place of an unknown name.
    pub(crate) similar: Vec<Ident>,
}

impl Resolved {
    /// The locals by their names.
    pub(crate) fn names(&self) -> BTreeMap<String, LocalId> {
        let names = self.locals.iter().enumerate();
        names
            .map(|(id, local)| (local.ident.to_string(), LocalId(id)))
            .collect()
    }
}

/// Gives each local of a function a unique name.
///
/// If the first walk gives no local a name that the function uses otherwise, the second one would
/// give the same names.
///
/// No local gets a name of `foreign`: if an item has that name, a pattern of the machine would mean
/// the item.
pub(crate) fn resolve(
    sig: &Signature,
    block: &Block,
    foreign: &[Ident],
    fallbacks: &mut Fallbacks,
) -> Resolved {
    let foreign: BTreeSet<String> = foreign.iter().map(Ident::to_string).collect();
    let mut noted = Fallbacks::default();
    let mut scopes = Scopes::new(foreign.clone(), &mut noted);
    let first = walk(&mut scopes, sig, block.clone());
    let Scopes {
        locals,
        items,
        mut free,
        similar,
        ..
    } = scopes;
    let mut names = locals.iter().map(|local| local.ident.to_string());
    if !names.any(|name| free.contains(&name)) {
        fallbacks.append(noted);
        return Resolved {
            block: first,
            locals,
            items,
            similar: similar.without(&free),
        };
    }
    free.extend(foreign);
    let mut scopes = Scopes::new(free, fallbacks);
    let block = walk(&mut scopes, sig, block.clone());
    let Scopes {
        locals,
        items,
        free,
        similar,
        ..
    } = scopes;
    Resolved {
        block,
        locals,
        items,
        similar: similar.without(&free),
    }
}

fn walk(scopes: &mut Scopes<'_>, sig: &Signature, mut block: Block) -> Block {
    for (index, input) in sig.inputs.iter().enumerate() {
        // A method is a function at this stage.
        if let FnArg::Typed(input) = input {
            scopes.declare(argument(index, input));
        }
    }
    let mut locals = scopes.locals.iter_mut();
    if let Some(receiver) = locals.find(|local| local.name == RECEIVER) {
        receiver.name = "self".to_owned();
    }
    scopes.visit_block_mut(&mut block);
    scopes.items.retain(|item| !is_only_evaluated(item));
    allow_unsafe_operations(&mut scopes.items);
    block
}

/// The local of an argument. An argument without a name gets a hidden one.
fn argument(index: usize, input: &PatType) -> LocalData {
    let (ident, name, mutable) = match &*input.pat {
        Pat::Ident(pat) => {
            let name = pat.ident.to_string();
            (pat.ident.clone(), name, pat.mutability.is_some())
        }
        pat => {
            let span = Span::mixed_site().located_at(pat.span());
            let ident = Ident::new(&format!("argument_{index}"), span);
            (ident, "_".to_owned(), false)
        }
    };
    LocalData {
        ident,
        name,
        ty: Some((*input.ty).clone()),
        mutable,
        kind: LocalKind::Argument(index),
    }
}

/// The locals whose names occur among tokens.
pub(crate) fn named_in(tokens: &impl ToTokens, names: &BTreeMap<String, LocalId>) -> Vec<LocalId> {
    let mut found = Vec::new();
    find_names(tokens.to_token_stream(), false, &mut |word| {
        found.extend(names.get(&word));
    });
    found
}

/// Finds the words that may be names of locals. Fields and parts of paths are not: neither `x`
/// after a point, nor keys in the braces after a path.
fn find_names(tokens: TokenStream, are_fields: bool, found: &mut dyn FnMut(String)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_mark = |at: usize, mark| tokens.get(at).is_some_and(|token| is_mark(token, mark));
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) => {
                let is_part = at > 0 && is_mark(at - 1, '.') && !(at > 1 && is_mark(at - 2, '.'));
                let is_key = are_fields && is_mark(at + 1, ':') && !is_mark(at + 2, ':');
                let is_in_path = at > 1 && is_mark(at - 1, ':') && is_mark(at - 2, ':')
                    || is_mark(at + 1, ':') && is_mark(at + 2, ':');
                if !is_part && !is_key && !is_in_path {
                    found(word.to_string());
                }
            }
            TokenTree::Group(group) => {
                let is_braced = group.delimiter() == Delimiter::Brace;
                let has_path = at > 0 && matches!(tokens[at - 1], TokenTree::Ident(_));
                find_names(group.stream(), is_braced && has_path, found);
            }
            _ => {}
        }
    }
}
