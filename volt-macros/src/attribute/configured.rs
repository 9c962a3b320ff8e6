//! Arguments that are there under a condition: a function for either case.
//!
//! A machine has a field for each argument, and what a field is cannot depend on what is decided
//! after the macro. So the function is written twice, each time with the attribute.

use syn::{Attribute, FnArg, PatType, Receiver, Signature, parse_quote};

/// A signature with the first such argument, and one without it, each with its condition.
pub(crate) fn split(sig: &Signature) -> Option<[(Attribute, Signature); 2]> {
    let (mut with, mut without) = (sig.clone(), sig.clone());
    let mut inputs = with.inputs.iter_mut().enumerate();
    let (index, condition) = inputs.find_map(|(index, it)| Some((index, take_condition(it)?)))?;
    let others = sig.inputs.iter().enumerate();
    let others = others.filter(|(place, _)| *place != index);
    without.inputs = others.map(|(_, input)| input.clone()).collect();
    let tokens = &condition.meta.require_list().ok()?.tokens;
    let opposite = parse_quote!(#[cfg(not(#tokens))]);
    Some([(condition.clone(), with), (opposite, without)])
}

/// Takes the condition off an argument.
fn take_condition(input: &mut FnArg) -> Option<Attribute> {
    let (FnArg::Receiver(Receiver { attrs, .. }) | FnArg::Typed(PatType { attrs, .. })) = input;
    let index = attrs.iter().position(|attr| attr.path().is_ident("cfg"))?;
    Some(attrs.remove(index))
}
