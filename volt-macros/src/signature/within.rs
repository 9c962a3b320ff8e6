//! Functions with the original `self` and `Self` of a method, in an `impl` of their own.
//!
//! ```text
//! impl Conn { async fn __ConnRead__read(&mut self, ..) { the body } }      a method of a type
//!
//! trait __ConnFlushBody: Flush {                                           a method of a trait
//!     async fn __ConnFlush__flush(&mut self, ..);
//! }
//! impl __ConnFlushBody for Conn { async fn __ConnFlush__flush(&mut self, ..) { the body } }
//! ```
//!
//! The type of a trait's method may be of another crate, and then it cannot have an inherent
//! `impl`. The private trait has one `impl`, and the user's trait as its supertrait. So
//! `Self::Item` in the body names the same type.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Lifetime, ReceiverKind, Type};

use super::method::Method;
use super::named::listed;
use crate::names::parameter;

/// Functions of a method's type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Functions {
    /// The functions with their bodies.
    pub(crate) items: TokenStream,
    /// Their declarations, for the private trait of a trait's method.
    pub(crate) declared: TokenStream,
}

impl Method {
    /// The `impl` with these functions. The name of the private trait begins with `machine`. A
    /// method with an argument under a condition is written once for each case, so the `impl` and
    /// the trait have the conditions of the method.
    pub(crate) fn within<'a>(
        &self,
        machine: &Ident,
        functions: &Functions,
        conditions: impl Iterator<Item = &'a Attribute>,
    ) -> TokenStream {
        let conditions: Vec<_> = conditions.collect();
        let (outer, self_ty) = (&self.impl_target.generics, &self.impl_target.self_ty);
        let (params, clause) = (&outer.params, &outer.where_clause);
        let Functions { items, declared } = functions;
        let Some(of) = &self.impl_target.trait_path else {
            return quote! {
                impl<#params> #self_ty #clause { #items }
            };
        };
        let (name, arguments) = (
            body_trait(machine),
            self.outer_arguments(ToTokens::to_token_stream),
        );
        quote! {
            #(#conditions)*
            trait #name<#params>: #of #clause { #declared }
            #(#conditions)*
            impl<#params> #name<#arguments> for #self_ty #clause { #items }
        }
    }

    /// The path of such a function, with lifetimes that are inferred where it is used.
    pub(crate) fn inferred_path(&self, machine: &Ident, function: &TokenStream) -> TokenStream {
        let mut self_ty = self.impl_target.self_ty.clone();
        let declared = self.impl_target.generics.lifetimes();
        let declared = declared.map(|param| param.lifetime.clone());
        InferLifetimes(declared.collect()).visit_type_mut(&mut self_ty);
        let infer = |lifetime: &Lifetime| Lifetime::new("'_", lifetime.span()).into_token_stream();
        self.path_within(machine, &self_ty, infer, function)
    }

    /// The path of such a function, with the lifetimes of the `impl` by their names.
    pub(crate) fn named_path(&self, machine: &Ident, function: &TokenStream) -> TokenStream {
        self.path_within(
            machine,
            &self.impl_target.self_ty,
            ToTokens::to_token_stream,
            function,
        )
    }

    fn path_within(
        &self,
        machine: &Ident,
        self_ty: &Type,
        lifetime: impl Fn(&Lifetime) -> TokenStream,
        function: &TokenStream,
    ) -> TokenStream {
        if self.impl_target.trait_path.is_none() {
            return quote!(<#self_ty>::#function);
        }
        let (name, arguments) = (body_trait(machine), self.outer_arguments(lifetime));
        quote!(<#self_ty as #name<#arguments>>::#function)
    }

    /// The parameters of the `impl`, as arguments of the private trait.
    fn outer_arguments(&self, lifetime: impl Fn(&Lifetime) -> TokenStream) -> Option<TokenStream> {
        let params = self.impl_target.generics.params.iter();
        listed(params.map(|param| match param {
            syn::GenericParam::Lifetime(param) => lifetime(&param.lifetime),
            param => parameter(param),
        }))
    }

    /// The receiver as the private trait declares it, in a type that names `Self`. `ty` is the type
    /// of the receiver with its lifetimes named. Returns `None` if `Self` is not found in the type.
    pub(crate) fn declared_receiver(&self, ty: &Type) -> Option<TokenStream> {
        let receiver = self.original.sig.receiver()?;
        if self.impl_target.trait_path.is_none()
            || !matches!(receiver.kind, ReceiverKind::Typed(..))
        {
            return self.receiver(ty);
        }
        let (mut ty, token) = (ty.clone(), &receiver.self_token);
        let mut back = BackToSelf {
            self_ty: &self.impl_target.self_ty,
            is_found: false,
        };
        back.visit_type_mut(&mut ty);
        back.is_found.then(|| quote!(#token: #ty))
    }
}

/// The private trait of a method of a trait.
fn body_trait(machine: &Ident) -> Ident {
    format_ident!("__{machine}Body")
}

/// Replaces lifetimes of an `impl` by inferred ones.
struct InferLifetimes(Vec<Lifetime>);

impl VisitMut for InferLifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if self.0.contains(lifetime) {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }
}

/// Replaces the type of an `impl` by `Self`.
struct BackToSelf<'a> {
    self_ty: &'a Type,
    is_found: bool,
}

impl VisitMut for BackToSelf<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if ty == self.self_ty {
            *ty = syn::parse_quote!(Self);
            self.is_found = true;
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }
}
