//! What no machine can be made of, in either layout.

use syn::ItemFn;

use super::recursion::refuse_recursion;
use crate::errors::{Errors, Rule};
use crate::options::Options;
use crate::signature::Method;

/// Refuses a function that no machine can be made of.
pub(crate) fn check(item: &ItemFn, errors: &mut Errors) {
    let sig = &item.sig;
    if sig.asyncness.is_none() {
        errors.refuse(Rule::NotAsync, &sig.fn_token);
    }
    if let Some(constness) = &sig.constness {
        errors.refuse(Rule::Qualifier, constness);
    }
    if let Some(abi) = &sig.abi {
        errors.refuse(Rule::Qualifier, abi);
    }
    if let Some(variadic) = &sig.variadic {
        errors.refuse(Rule::Qualifier, variadic);
    }
    if let Some(receiver) = sig.receiver() {
        errors.refuse(Rule::Receiver, receiver);
    }
}

/// Refuses an option that a native machine does not have.
pub(crate) fn check_options(options: &Options, errors: &mut Errors) {
    if let Some(derived) = options.derive.first() {
        errors.refuse(Rule::DerivedNative, &derived.name);
    }
}

/// Refuses a function that holds its own machine, in either layout.
pub(crate) fn check_recursion(item: &ItemFn, options: &Options, errors: &mut Errors) {
    if !options.boxed {
        refuse_recursion(&item.sig.ident, &item.block, false, errors);
    }
}

/// Refuses an option that a method does not have.
pub(crate) fn check_method(method: &Method, options: &Options, errors: &mut Errors) {
    if let (Some(vis), None) = (&options.vis, &method.home.of) {
        errors.refuse(Rule::VisOfMethod, vis);
    }
}

/// Refuses a method that holds its own machine, in either layout; whether it does. What a trait's method
/// calls by its own name may be another.
pub(crate) fn awaits_itself(method: &Method, options: &Options, errors: &mut Errors) -> bool {
    let (name, body) = (&method.original.sig.ident, &method.original.block);
    method.home.of.is_none() && !options.boxed && refuse_recursion(name, body, true, errors)
}
