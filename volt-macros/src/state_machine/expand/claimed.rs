//! The questions to the compiler about places, in the native twin.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Expr, GenericParam, Stmt};

use crate::state_machine::claim::Claim;
use crate::state_machine::generics::generic_name;
use crate::state_machine::model::Machine;
use crate::state_machine::scope::holds_word;

/// What has to be proven, in front of a body with these generics.
pub(super) fn claims(machine: &Machine, generics: &[&GenericParam]) -> Vec<Stmt> {
    let known: Vec<String> = generics.iter().map(|param| generic_name(param)).collect();
    let made = machine.function.generics.type_params();
    let made = made.map(|param| param.ident.to_string());
    let made: Vec<String> = made.filter(|name| !known.contains(name)).collect();
    let claims = machine.body.claims.iter();
    let claims = claims.filter_map(|claim| closure(machine, claim, &known, &made));
    let claims = claims.map(|claim| Stmt::Expr(Expr::Verbatim(claim), None));
    claims.collect()
}

/// The closure that proves it, unless a type in it has no name here.
fn closure(
    machine: &Machine,
    claim: &Claim,
    known: &[String],
    made: &[String],
) -> Option<TokenStream> {
    let locals = claim.locals.iter().map(|&local| {
        let local = &machine.body.locals[local];
        let (name, ty) = (&local.name, local.ty.as_ref()?);
        Some((name, ty.to_token_stream()))
    });
    let lent = claim.lent.iter().map(|(name, mutable, ty)| {
        let mutable = mutable.then(<syn::Token![mut]>::default);
        Some((name, quote!(&#mutable #ty)))
    });
    let params: Option<Vec<(&Ident, TokenStream)>> = locals.chain(lent).collect();
    let params = params?;
    let mentions = |name: &String| {
        params
            .iter()
            .any(|(_, ty)| holds_word(ty.clone(), name).is_some())
    };
    if made.iter().any(mentions) {
        return None;
    }
    let params = params.into_iter().map(|(name, ty)| {
        let ty = anonymous(ty, known);
        quote!(mut #name: #ty)
    });
    let (items, proofs) = (&claim.items, &claim.proofs);
    Some(quote! {
        #[allow(
            unused,
            deprecated,
            let_underscore_drop,
            static_mut_refs,
            suspicious_double_ref_op,
            clippy::all,
            clippy::pedantic,
            clippy::undocumented_unsafe_blocks,
            reason = "asked, never called"
        )]
        let _ = |#(#params),*| {
            #(#items)*
            #proofs
        };
    })
}

/// The type without the lifetimes that are made up for the machine.
fn anonymous(ty: TokenStream, known: &[String]) -> TokenStream {
    let mut after_mark = false;
    let tokens = ty.into_iter().map(|token| {
        let is_lifetime = std::mem::take(&mut after_mark);
        match token {
            TokenTree::Ident(name) if is_lifetime => {
                let stays = name == "static" || known.iter().any(|known| name == known);
                match stays {
                    true => TokenTree::Ident(name),
                    false => TokenTree::Ident(Ident::new("_", name.span())),
                }
            }
            TokenTree::Punct(mark) => {
                after_mark = mark.as_char() == '\'';
                TokenTree::Punct(mark)
            }
            TokenTree::Group(group) => {
                let inner = anonymous(group.stream(), known);
                let mut inner = Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        }
    });
    tokens.collect()
}
