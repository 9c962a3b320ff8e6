//! The whole pipeline: from a function to its explicit machine, or to the doubts about it.

use std::cell::Cell;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ItemFn;

use crate::analysis::{Analysis, analyse};
use crate::backend::{self, is_foreign};
use crate::doubt::{Doubts, Reason};
use crate::explicit::{self, Input};
use crate::layout::{Layout, Typed};
use crate::options::Options;
use crate::signature::{Method, Signature, has_alias, machine_name};
use crate::syntax::text_with_self;

/// The machine of a function, or of a method that was lifted out of its `impl`: what stands in its place, and what
/// stands beside that.
pub(crate) fn machine(
    item: &ItemFn,
    method: Option<&Method>,
    options: &Options,
) -> Result<(TokenStream, TokenStream), Doubts> {
    let signature = &Signature::read(item, method);
    let found = analysed(item, method)?;
    let layout = Layout::of(&found.body, &found.cfg, &found.liveness);
    let layout = layout.map_err(|(reason, local)| {
        let local = local.map(|local| &found.body.locals[local.0].ident);
        doubt(reason, local.unwrap_or(&item.sig.ident))
    })?;
    let typed = typed(&found, &layout, signature, options)?;
    if let Some(derived) = options.derive.first()
        && layout.lends(&found.liveness)
        && typed.is_none()
    {
        return Err(doubt(Reason::DerivedLend, derived));
    }
    let name = &machine_name(options, item, method);
    let (function, beside) = explicit::machine(&Input {
        item,
        method,
        signature,
        options,
        name,
        body: &found.body,
        cfg: &found.cfg,
        liveness: &found.liveness,
        layout: &layout,
        typed: typed.as_ref(),
        send: backend::send(item, method, options),
        believed: Cell::default(),
    });
    let alias = (method.is_none() && has_alias(options, &signature.name, name)).then(|| {
        let arguments = signature.arguments();
        signature.alias(&item.vis, &quote!(#name<#arguments>))
    });
    Ok((function, quote!(#beside #alias)))
}

/// The facts about a function whose only fallback reasons come from its type parameters.
fn analysed(item: &ItemFn, method: Option<&Method>) -> Result<Analysis, Doubts> {
    let mut found = analyse(&item.sig, &item.block);
    if let Some(text) = method.and_then(|method| text_with_self(&method.original.block)) {
        found.doubts.note(Reason::SelfInText, &text);
    }
    for attr in item.attrs.iter().filter(|attr| is_foreign(attr)) {
        found.doubts.note(Reason::ForeignAttribute, attr);
    }
    // The fields with types decide about those.
    found.doubts.take(Reason::TypeParameter);
    match found.doubts.is_empty() {
        true => Ok(found),
        false => Err(found.doubts),
    }
}

/// The fields with types, which a generic function needs, or why there are none.
fn typed(
    found: &Analysis,
    layout: &Layout,
    signature: &Signature,
    options: &Options,
) -> Result<Option<Typed>, Doubts> {
    if !signature.is_generic() {
        return Ok(None);
    }
    let (body, liveness) = (&found.body, &found.liveness);
    if options.boxed || options.inline.is_some() {
        return Err(doubt(Reason::TypeParameter, &signature.name));
    }
    let typed = Typed::of(body, liveness, layout, signature, options.is_explicit());
    let typed = typed.map_err(|(reason, place)| doubt(reason, &place));
    typed.map(Some)
}

fn doubt(reason: Reason, place: &impl ToTokens) -> Doubts {
    let mut doubts = Doubts::default();
    doubts.note(reason, place);
    doubts
}
