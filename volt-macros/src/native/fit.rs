//! What no machine can be made of, in either layout.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Item, ItemFn, Path};

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
    let of_impl = sig.receiver().map(ToTokens::to_token_stream);
    if let Some(of_impl) = of_impl.or_else(|| word_self(item)) {
        errors.refuse(Rule::Receiver, &of_impl);
    }
}

/// The word `Self` of a function, which means a type only within an `impl`.
fn word_self(item: &ItemFn) -> Option<TokenStream> {
    struct Find(Option<TokenStream>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_path(&mut self, path: &'ast Path) {
            let first = path.segments.first();
            if let Some(first) = first.filter(|first| first.ident == "Self") {
                self.0.get_or_insert_with(|| first.ident.to_token_stream());
            }
            visit::visit_path(self, path);
        }

        // Such as an `impl` in the body, where it means that type.
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut find = Find(None);
    find.visit_signature(&item.sig);
    find.visit_block(&item.block);
    find.0
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
