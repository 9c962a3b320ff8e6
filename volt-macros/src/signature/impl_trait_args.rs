//! `impl Trait` among the arguments, where the function has no name for it.

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

    /// Leaves what stands for an `impl Trait` without a name, where the function has parameters of its own that a
    /// caller may write: they would be too few otherwise. The same where a trait declares it without one.
    pub(crate) fn keep_anonymous(&mut self, sig: &syn::Signature, is_declared: bool) {
        let is_given = |param: &GenericParam| !matches!(param, GenericParam::Lifetime(_));
        if !is_declared && !sig.generics.params.iter().any(is_given) {
            return;
        }
        // One within the bounds of another has to have a name where both are arguments of the machine.
        let bounds = self.generics.type_params().map(|param| &param.bounds);
        let bounds = quote!(#(#bounds)*);
        let is_free = |name: &Ident| !contains_ident(bounds.clone(), &name.to_string());
        let are_free = self.made.iter().all(is_free);
        if are_free || is_declared {
            self.anonymous.clone_from(&self.made);
        }
        // Behind a reference it has to outlive that, which the `impl Trait` that stands for it does not say.
        let is_lent = self.arguments.iter().any(|argument| {
            let ty = argument.ty.to_token_stream();
            let is_in = |name: &Ident| contains_ident(ty.clone(), &name.to_string());
            ty.to_string().contains('\'') && self.made.iter().any(is_in)
        });
        self.is_opaque = is_declared && (!are_free || is_lent);
    }

    /// A type as the function writes it: with `impl Trait` for what has no name there.
    pub(crate) fn with_impl_traits(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        if !self.anonymous.is_empty() {
            Put(self).visit_type_mut(&mut ty);
        }
        ty
    }

    /// The same, with `impl Trait` for what has no name.
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

/// Puts `impl Trait` where a parameter stands that has no name.
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
