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
    let alias = signature.alias(&vis, &quote!(#name<#arguments>));
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
    let Analysis {
        body,
        cfg,
        liveness,
        mut doubts,
    } = analyse(&item.sig, None, &item.block);
    for attr in item.attrs.iter().filter(|attr| is_foreign(attr)) {
        doubts.note(Reason::ForeignAttribute, attr);
    }
    let generic = doubts.take(Reason::TypeParameter);
    if !doubts.is_empty() {
        doubts.append(generic);
        return Err(doubts);
    }
    let is_generic = signature.is_generic();
    let layout = match Layout::of(&body, &cfg, &liveness) {
        Ok(layout) => layout,
        Err(reason) => {
            doubts.note(reason, &item.sig.ident);
            return Err(doubts);
        }
    };
    let is_native = options.boxed || options.inline.is_some();
    let typed = (is_generic && !is_native)
        .then(|| Typed::of(&body, &liveness, &layout, signature, options.is_explicit()));
    let typed = typed.flatten();
    if is_generic && typed.is_none() {
        return Err(generic);
    }
    let input = Input {
        item,
        method,
        vis,
        signature,
        options,
        name,
        body: &body,
        cfg: &cfg,
        liveness: &liveness,
        layout: &layout,
        typed: typed.as_ref(),
    };
    if let Some(derived) = options
        .derive
        .first()
        .filter(|_| input.lends() && typed.is_none())
    {
        doubts.note(Reason::DerivedLend, &derived.name);
        return Err(doubts);
    }
    Ok(emit::machine(&input))
}
