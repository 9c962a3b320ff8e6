//! The whole pipeline: from a function to its explicit machine, or to the doubts about it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{ItemFn, Visibility};

use crate::analysis::{Analysis, analyse};
use crate::doubt::{Doubts, Reason};
use crate::emit::{self, Input};
use crate::layout::{Layout, Typed};
use crate::native::is_foreign;
use crate::options::Options;
use crate::signature::{Method, Signature, machine_name};

/// The machine of a free function.
pub(crate) fn function(item: &ItemFn, options: &Options) -> Result<TokenStream, Doubts> {
    let name = &machine_name(options, item, None);
    let signature = Signature::read(item, false);
    let (function, beside) = machine(item, None, &item.vis, &signature, options, name)?;
    let arguments = signature.arguments();
    let vis = item.vis.to_token_stream();
    let named = || signature.alias(&vis, &quote!(#name<#arguments>));
    let alias = options.alias.then(named);
    Ok(quote!(#function #beside #alias))
}

/// The machine of a method: what stands in the `impl`, and what stands beside it.
pub(crate) fn method(
    method: &Method,
    options: &Options,
) -> Result<(TokenStream, TokenStream), Doubts> {
    // That the type has no path is refused in any layout.
    let mut item = method.function().ok_or_else(Doubts::default)?;
    item.vis = match (&options.vis, method.home.of.is_some()) {
        (Some(vis), _) => vis.clone(),
        (None, true) => Visibility::Inherited,
        (None, false) => method.original.vis.clone(),
    };
    let has_receiver = method.original.sig.receiver().is_some();
    let signature = Signature::read(&item, has_receiver);
    let name = machine_name(options, &item, method.home.name());
    machine(
        &item,
        Some(method),
        &method.original.vis,
        &signature,
        options,
        &name,
    )
}

fn machine(
    item: &ItemFn,
    method: Option<&Method>,
    vis: &Visibility,
    signature: &Signature,
    options: &Options,
    name: &Ident,
) -> Result<(TokenStream, TokenStream), Doubts> {
    let (found, generic) = analysed(item)?;
    let layout = Layout::of(&found.body, &found.cfg, &found.liveness);
    let layout = layout.map_err(|reason| doubt(reason, &item.sig.ident))?;
    let typed = typed(&found, &layout, signature, options);
    if signature.is_generic() && typed.is_none() {
        return Err(generic);
    }
    let input = Input {
        item,
        method,
        vis,
        signature,
        options,
        name,
        body: &found.body,
        cfg: &found.cfg,
        liveness: &found.liveness,
        layout: &layout,
        typed: typed.as_ref(),
    };
    match options.derive.first() {
        Some(derived) if layout.lends(&found.liveness) && typed.is_none() => {
            Err(doubt(Reason::DerivedLend, &derived.name))
        }
        _ => Ok(emit::machine(&input)),
    }
}

/// What is known of a function about which there are no doubts but those for its type parameters, and these.
fn analysed(item: &ItemFn) -> Result<(Analysis, Doubts), Doubts> {
    let mut found = analyse(&item.sig, &item.block);
    for attr in item.attrs.iter().filter(|attr| is_foreign(attr)) {
        found.doubts.note(Reason::ForeignAttribute, attr);
    }
    let generic = found.doubts.take(Reason::TypeParameter);
    if !found.doubts.is_empty() {
        found.doubts.append(generic);
        return Err(found.doubts);
    }
    Ok((found, generic))
}

/// The fields with types, which a generic function needs, unless the options ask for a room for a coroutine.
fn typed(
    found: &Analysis,
    layout: &Layout,
    signature: &Signature,
    options: &Options,
) -> Option<Typed> {
    if !signature.is_generic() || options.boxed || options.inline.is_some() {
        return None;
    }
    let believes_names = options.is_explicit();
    Typed::of(
        &found.body,
        &found.liveness,
        layout,
        signature,
        believes_names,
    )
}

fn doubt(reason: Reason, place: &Ident) -> Doubts {
    let mut doubts = Doubts::default();
    doubts.note(reason, place);
    doubts
}
