//! Arguments of type `impl Trait`, for which the function has no name.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, Type, TypeReference, parse_quote};

use super::named::{Signature, listed};
use crate::names::parameter;
use crate::syntax::contains_ident;

impl Signature {
    pub(super) fn is_anonymous(&self, param: &GenericParam) -> bool {
        matches!(param, GenericParam::Type(param) if self.anonymous.contains(&param.ident))
    }

    /// Keeps `impl Trait` where a caller may write the other parameters of the function: otherwise
    /// there would be too many. It is also kept if a trait declares it.
    pub(crate) fn keep_anonymous(&mut self, sig: &syn::Signature, is_declared: bool) {
        let is_given = |param: &GenericParam| !matches!(param, GenericParam::Lifetime(_));
        if !is_declared && !sig.generics.params.iter().any(is_given) {
            return;
        }
        // A parameter in the bounds of another one needs a name if both are arguments of the
        // machine.
        let bounds = self.generics.type_params().map(|param| &param.bounds);
        let bounds = quote!(#(#bounds)*);
        let is_free = |name: &Ident| !contains_ident(bounds.clone(), &name.to_string());
        let are_free = self.made.iter().all(is_free);
        if are_free || is_declared {
            self.anonymous.clone_from(&self.made);
        }
        // Behind a reference it has to outlive the reference, which the `impl Trait` does not
        // state.
        let is_lent = self.arguments.iter().any(|argument| {
            let ty = argument.ty.to_token_stream();
            let is_in = |name: &Ident| contains_ident(ty.clone(), &name.to_string());
            ty.to_string().contains('\'') && self.made.iter().any(is_in)
        });
        self.is_opaque = is_declared && (!are_free || is_lent);
    }

    /// A type as the function writes it, with `impl Trait` for unnamed parameters.
    pub(crate) fn with_impl_traits(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        if !self.anonymous.is_empty() {
            Put(self).visit_type_mut(&mut ty);
        }
        ty
    }

    /// The arguments of the machine, with `impl Trait` for unnamed parameters.
    pub(crate) fn written_arguments(&self) -> Option<TokenStream> {
        let params = self.generics.params.iter().map(|param| match param {
            GenericParam::Type(param) => {
                let name = &param.ident;
                self.with_impl_traits(&parse_quote!(#name))
                    .to_token_stream()
            }
            param => parameter(param),
        });
        listed(params)
    }
}

/// Replaces unnamed parameters by `impl Trait`.
struct Put<'a>(&'a Signature);

impl VisitMut for Put<'_> {
    fn visit_type_reference_mut(&mut self, node: &mut TypeReference) {
        visit_mut::visit_type_reference_mut(self, node);
        if let Type::ImplTrait(found) = &*node.elem
            && found.bounds.len() > 1
        {
            *node.elem = parse_quote!((#found));
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        let Type::Path(path) = &*ty else { return };
        let mut params = self.0.generics.type_params();
        let param = params.find(|param| path.path.is_ident(&param.ident));
        if let Some(param) = param.filter(|param| self.0.anonymous.contains(&param.ident)) {
            let bounds = &param.bounds;
            *ty = parse_quote!(impl #bounds);
            visit_mut::visit_type_mut(self, ty);
        }
    }
}
