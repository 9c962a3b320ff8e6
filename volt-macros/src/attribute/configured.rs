//! Arguments that are there under a condition: a function for either case.
//!
//! A machine has a field for each argument, and what a field is cannot depend on what is decided
//! after the macro. So the function is written twice, each time with the attribute.

use syn::{Attribute, FnArg, Signature, parse_quote};

/// A signature with the first such argument, and one without it, each with its condition.
pub(crate) fn split(sig: &Signature) -> Option<[(Attribute, Signature); 2]> {
    let is_configured = |input: &FnArg| attrs(input).iter().any(|attr| attr.path().is_ident("cfg"));
    let index = sig.inputs.iter().position(is_configured)?;
    let (mut with, mut without) = (sig.clone(), sig.clone());
    let attrs = match &mut with.inputs[index] {
        FnArg::Receiver(input) => &mut input.attrs,
        FnArg::Typed(input) => &mut input.attrs,
    };
    let place = attrs.iter().position(|attr| attr.path().is_ident("cfg"))?;
    let condition = attrs.remove(place);
    let syn::Meta::List(list) = &condition.meta else {
        return None;
    };
    let tokens = &list.tokens;
    without.inputs = without
        .inputs
        .into_iter()
        .enumerate()
        .filter_map(|(place, input)| (place != index).then_some(input))
        .collect();
    let opposite = parse_quote!(#[cfg(not(#tokens))]);
    Some([(condition.clone(), with), (opposite, without)])
}

fn attrs(input: &FnArg) -> &[Attribute] {
    match input {
        FnArg::Receiver(input) => &input.attrs,
        FnArg::Typed(input) => &input.attrs,
    }
}
