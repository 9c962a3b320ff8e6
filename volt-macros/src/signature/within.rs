//! Functions that stand in an `impl` of a method's type, so that `self` and `Self` mean in them what they did.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{Lifetime, Type};

use super::method::Method;

impl Method {
    /// Functions in an `impl` of their own, and how the one called `name` is reached there.
    pub(crate) fn within(
        &self,
        functions: &TokenStream,
        name: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let (outer, self_ty) = (&self.home.generics, &self.home.self_ty);
        let (params, clause) = (&outer.params, &outer.where_clause);
        let item = quote! {
            #[automatically_derived]
            impl<#params> #self_ty #clause { #functions }
        };
        let inferred = inferred_lifetimes(self_ty);
        (item, quote!(<#inferred>::#name))
    }
}

/// The type with lifetimes that are inferred where it is used.
fn inferred_lifetimes(ty: &Type) -> Type {
    struct Infer;
    impl VisitMut for Infer {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }
    let mut ty = ty.clone();
    Infer.visit_type_mut(&mut ty);
    ty
}
