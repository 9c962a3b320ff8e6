//! Checks for functions that have no machine in either layout.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Item, ItemFn, Path};

use super::recursion::reject_recursion;
use crate::errors::{Errors, Rule};
use crate::options::{LayoutOption, Options};
use crate::signature::Method;

/// Reports a function that can have no machine, and options that its machine does not have. Returns
/// `true` if there can be a machine.
pub(crate) fn check(item: &ItemFn, options: &Options, errors: &mut Errors) -> bool {
    let before = errors.len();
    check_signature(item, errors);
    let is_function = errors.len() == before;
    check_options(options, errors);
    let recurses = !options.boxed && reject_recursion(&item.sig, &item.block, false, errors);
    is_function && !recurses
}

fn check_signature(item: &ItemFn, errors: &mut Errors) {
    let sig = &item.sig;
    if sig.asyncness.is_none() {
        errors.refuse(Rule::NotAsync, &sig.fn_token);
    }
    let (abi, variadic) = (&sig.abi, &sig.variadic);
    for qualifier in [quote!(#abi), quote!(#variadic)] {
        if !qualifier.is_empty() {
            errors.refuse(Rule::Qualifier, &qualifier);
        }
    }
    let of_impl = sig.receiver().map(ToTokens::to_token_stream);
    if let Some(of_impl) = of_impl.or_else(|| word_self(item)) {
        errors.refuse(Rule::Receiver, &of_impl);
    }
}

/// Returns the word `Self` of a function, which is a type only within an `impl`.
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

        // An item, such as an `impl` in the body, has its own `Self`.
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut find = Find(None);
    find.visit_signature(&item.sig);
    find.visit_block(&item.block);
    find.0
}

/// Reports options that exclude each other: a native machine derives nothing, and one without a
/// trace denies nothing.
pub(crate) fn check_options(options: &Options, errors: &mut Errors) {
    if let (Some((LayoutOption::Native, _)), Some(derived)) =
        (options.layout, options.derive.first())
    {
        errors.refuse(Rule::DerivedNative, derived);
    }
    if let (Some(span), false) = (options.deny_dormant, options.trace) {
        errors.refuse(Rule::DenyWithoutTrace, &Ident::new("dormant", span));
    }
}

/// Reports an option that a method does not have.
pub(crate) fn check_method(method: &Method, options: &Options, errors: &mut Errors) {
    if let (Some(vis), None) = (&options.vis, &method.impl_target.trait_path) {
        errors.refuse(Rule::VisOfMethod, vis);
    }
}

/// Reports a method that contains its own machine, in either layout. Returns `true` if it does. A
/// call by the own name in a method of a trait may mean another method.
pub(crate) fn awaits_itself(method: &Method, options: &Options, errors: &mut Errors) -> bool {
    let (sig, body) = (&method.original.sig, &method.original.block);
    method.impl_target.trait_path.is_none()
        && !options.boxed
        && reject_recursion(sig, body, true, errors)
}
