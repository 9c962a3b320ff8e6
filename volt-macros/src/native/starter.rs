//! What makes the coroutine of a machine that has it as a parameter: a closure, or a function.
//!
//! A closure tells the compiler nothing of the function's lifetimes. Where a type parameter has to outlive one of
//! several, `F: Future + 'a`, the compiler then asks that it be `'static`. A function names them all.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Generics, TypeParamBound};

use super::coroutine::Coroutine;
use super::machine::{Machine, WRITTEN, late};
use crate::names;

impl Machine<'_> {
    /// The storage, of the arguments.
    pub(super) fn started(&self, arguments: &TokenStream, coroutine: &Coroutine) -> TokenStream {
        let (private, late, make) = (self.private(), late(), &coroutine.make);
        if !outlives(&self.signature.generics) {
            return quote!(#private::start!(#arguments, |#late| #make));
        }
        let (function, types) = (self.starter(coroutine), self.signature.inferred(None));
        quote!({
            #function
            #private::start!(#arguments, __volt_start::<#types>)
        })
    }

    /// The function.
    fn starter(&self, coroutine: &Coroutine) -> TokenStream {
        let (signature, brand) = (&self.signature, names::label("__volt"));
        let (parameters, arguments) = (signature.parameters(), signature.arguments());
        let (bounds, opaque, given) = (signature.bounds(), self.opaque(), self.given(&brand));
        let (late, make) = (late(), &coroutine.make);
        quote! {
            #[allow(
                impl_trait_redundant_captures,
                single_use_lifetimes,
                unused_lifetimes,
                clippy::extra_unused_lifetimes,
                clippy::multiple_bound_locations,
                clippy::needless_lifetimes,
                clippy::type_complexity,
                reason = #WRITTEN
            )]
            fn __volt_start<#brand, #parameters>(
                #late: #given
            ) -> #opaque + use<#brand, #arguments>
            where #bounds
            {
                #make
            }
        }
    }
}

/// Whether a type has to outlive a lifetime that has a name, and is not the only one.
fn outlives(generics: &Generics) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_param_bound(&mut self, bound: &'ast TypeParamBound) {
            self.0 |= matches!(bound, TypeParamBound::Lifetime(it) if it.ident != "static");
            visit::visit_type_param_bound(self, bound);
        }
    }
    let mut find = Find(false);
    find.visit_generics(generics);
    find.0 && generics.lifetimes().count() > 1
}
