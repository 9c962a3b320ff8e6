//! Arguments and parameters with a `#[cfg]`: one function for each case.
//!
//! A machine has a field for each argument, and a parameter for each parameter of the function.
//! Neither can depend on a condition that the compiler evaluates after the macro. So the function
//! is written twice, each time with the attribute.
//!
//! A condition is `#[cfg(..)]`, or a `cfg` in `#[cfg_attr(.., ..)]`.

use syn::punctuated::Punctuated;
use syn::{
    Attribute, FnArg, GenericParam, Generics, ItemImpl, Meta, PatType, Receiver, Signature, Token,
    parse_quote,
};

/// A condition, and its negation.
type Cases<T> = [(Attribute, T); 2];

/// Splits a signature into one with the first such argument or parameter, and one without it.
pub(crate) fn split(sig: &Signature) -> Option<Cases<Signature>> {
    if let Some([with, without]) = split_generics(&sig.generics) {
        let cases = [with, without].map(|(condition, generics)| {
            let sig = sig.clone();
            (condition, Signature { generics, ..sig })
        });
        return Some(cases);
    }
    let (mut with, mut without) = (sig.clone(), sig.clone());
    let mut inputs = with.inputs.iter_mut().enumerate();
    let (index, condition) = inputs.find_map(|(index, input)| {
        let (FnArg::Receiver(Receiver { attrs, .. }) | FnArg::Typed(PatType { attrs, .. })) = input;
        Some((index, take_condition(attrs)?))
    })?;
    let others = sig.inputs.iter().enumerate();
    let others = others.filter(|(place, _)| *place != index);
    without.inputs = others.map(|(_, input)| input.clone()).collect();
    cases(condition, with, without)
}

/// Splits an `impl` block into one with the first such parameter, and one without it.
pub(crate) fn split_block(block: &ItemImpl) -> Option<Cases<ItemImpl>> {
    let cases = split_generics(&block.generics)?.map(|(condition, generics)| {
        let block = block.clone();
        (condition, ItemImpl { generics, ..block })
    });
    Some(cases)
}

fn split_generics(generics: &Generics) -> Option<Cases<Generics>> {
    let (mut with, mut without) = (generics.clone(), generics.clone());
    let mut params = with.params.iter_mut().enumerate();
    let (index, condition) = params.find_map(|(index, param)| {
        let attrs = match param {
            GenericParam::Lifetime(param) => &mut param.attrs,
            GenericParam::Type(param) => &mut param.attrs,
            GenericParam::Const(param) => &mut param.attrs,
        };
        Some((index, take_condition(attrs)?))
    })?;
    let others = generics.params.iter().enumerate();
    let others = others.filter(|(place, _)| *place != index);
    without.params = others.map(|(_, param)| param.clone()).collect();
    cases(condition, with, without)
}

fn cases<T>(condition: Attribute, with: T, without: T) -> Option<Cases<T>> {
    let tokens = &condition.meta.require_list().ok()?.tokens;
    let opposite = parse_quote!(#[cfg(not(#tokens))]);
    Some([(condition, with), (opposite, without)])
}

/// Removes the condition of an argument, a parameter, or an item.
fn take_condition(attrs: &mut Vec<Attribute>) -> Option<Attribute> {
    simplify(attrs);
    let index = attrs.iter().position(|attr| attr.path().is_ident("cfg"))?;
    Some(attrs.remove(index))
}

/// Replaces each `#[cfg_attr(a, cfg(b))]` by `#[cfg(any(not(a), b))]`.
pub(crate) fn simplify(attrs: &mut Vec<Attribute>) {
    let is_conditional = |attr: &Attribute| attr.path().is_ident("cfg_attr");
    if attrs.iter().any(is_conditional) {
        let all = std::mem::take(attrs).into_iter();
        attrs.extend(all.flat_map(|attr| expand_cfg_attr(&attr).unwrap_or_else(|| vec![attr])));
    }
}

/// The attributes in a `cfg_attr`, if a `cfg` is among them.
fn expand_cfg_attr(attr: &Attribute) -> Option<Vec<Attribute>> {
    let list = attr.meta.require_list().ok()?;
    let is_conditional = attr.path().is_ident("cfg_attr");
    let metas = is_conditional.then_some(list)?;
    let metas = metas.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let mut metas = metas.ok()?.into_iter();
    let condition = metas.next()?;
    let mut is_found = false;
    let mut attrs = Vec::new();
    for meta in metas {
        let mut inner = vec![parse_quote!(#[#meta])];
        simplify(&mut inner);
        for attr in inner {
            let meta = &attr.meta;
            let cfg = meta
                .path()
                .is_ident("cfg")
                .then(|| meta.require_list().ok());
            attrs.push(match cfg.flatten().map(|list| &list.tokens) {
                Some(cfg) => {
                    is_found = true;
                    parse_quote!(#[cfg(any(not(#condition), #cfg))])
                }
                None => parse_quote!(#[cfg_attr(#condition, #meta)]),
            });
        }
    }
    is_found.then_some(attrs)
}
