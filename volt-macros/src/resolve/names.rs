//! A function whose locals have names of their own.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, FnArg, Item, Pat, Receiver, ReceiverKind, Signature, Type, parse_quote};

use crate::doubt::{Doubts, Reason};

use super::local::{LocalData, LocalId, LocalKind};
use super::scopes::Scopes;

/// What a method's `self` is called where it is a function.
const RECEIVER: &str = "__self";

/// A body whose names are unique.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) block: Block,
    /// In the order of their declarations, the arguments first.
    pub(crate) locals: Vec<LocalData>,
    /// The items of the body.
    pub(crate) items: Vec<Item>,
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

/// Gives the locals of a function unique names.
pub(crate) fn resolve(sig: &Signature, block: &Block, doubts: &mut Doubts) -> Resolved {
    let free = {
        let mut unheard = Doubts::default();
        let mut scopes = Scopes::new(BTreeSet::new(), &mut unheard);
        walk(&mut scopes, sig, block.clone());
        scopes.free
    };
    let mut scopes = Scopes::new(free, doubts);
    let block = walk(&mut scopes, sig, block.clone());
    let Scopes { locals, items, .. } = scopes;
    Resolved {
        block,
        locals,
        items,
    }
}

fn walk(scopes: &mut Scopes<'_>, sig: &Signature, mut block: Block) -> Block {
    for (index, input) in sig.inputs.iter().enumerate() {
        scopes.declare(argument(index, input));
    }
    let receiver = scopes
        .locals
        .first_mut()
        .filter(|local| local.name == RECEIVER);
    if let Some(receiver) = receiver {
        receiver.name = "self".to_owned();
    }
    scopes.visit_block_mut(&mut block);
    block
}

/// The local of an argument.
fn argument(index: usize, input: &FnArg) -> LocalData {
    let (ident, name, ty, mutable) = match input {
        FnArg::Receiver(receiver) => {
            let ty = type_of_self(receiver);
            let mutable = receiver.mutability.is_some();
            (hidden("this", receiver), "self".to_owned(), ty, mutable)
        }
        FnArg::Typed(input) => {
            let ty = (*input.ty).clone();
            match &*input.pat {
                Pat::Ident(pat) => {
                    let name = pat.ident.to_string();
                    (pat.ident.clone(), name, ty, pat.mutability.is_some())
                }
                pat => {
                    let ident = hidden(&format!("argument_{index}"), pat);
                    (ident, "_".to_owned(), ty, false)
                }
            }
        }
    };
    LocalData {
        ident,
        name,
        ty: Some(ty),
        mutable,
        kind: LocalKind::Argument(index),
    }
}

/// The name of an argument that has none, and of `self`.
fn hidden(name: &str, place: &impl Spanned) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place.span()))
}

/// The type of `self`, as far as it is written.
fn type_of_self(receiver: &Receiver) -> Type {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => parse_quote!(& #mutability Self),
        ReceiverKind::Typed(_, ty) => (**ty).clone(),
        _ => parse_quote!(Self),
    }
}

/// Doubts about arguments that are taken apart.
pub(crate) fn check_arguments(sig: &Signature, doubts: &mut Doubts) {
    for input in &sig.inputs {
        if let FnArg::Typed(input) = input {
            match &*input.pat {
                Pat::Ident(pat) if pat.by_ref.is_some() || pat.subpat.is_some() => {
                    doubts.note(Reason::ArgumentPattern, pat);
                }
                _ => {}
            }
        }
    }
}

/// The names of locals among tokens.
pub(crate) fn named_in(tokens: &impl ToTokens, names: &BTreeMap<String, LocalId>) -> Vec<LocalId> {
    fn find(tokens: TokenStream, names: &BTreeMap<String, LocalId>, found: &mut Vec<LocalId>) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => found.extend(names.get(&word.to_string())),
                TokenTree::Group(group) => find(group.stream(), names, found),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    find(tokens.to_token_stream(), names, &mut found);
    found
}
