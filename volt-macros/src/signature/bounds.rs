//! The bounds of type parameters.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Generics, Lifetime, Type, TypeParam, TypeReference, WherePredicate, parse_quote};

use super::elided::types_in;
use super::named::{Signature, listed};
use crate::names::FUTURES;
use crate::syntax::contains_ident;

impl Signature {
    /// Adds `T: 'static` for an argument of type `&'static T`. A function may rely on this bound,
    /// because its argument implies it. A type has to state it, for `'static` alone.
    pub(super) fn state_implied_bounds(&mut self) {
        let generics = &self.generics;
        let arguments = self.arguments.iter();
        let types = arguments.flat_map(|argument| types_in(&argument.ty));
        let bounds = types.filter_map(|ty| match ty {
            Type::Reference(reference) => implied_bound(reference, generics),
            _ => None,
        });
        self.implied = bounds.collect();
        if !self.implied.is_empty() {
            let clause = self.generics.make_where_clause();
            clause.predicates.extend(self.implied.iter().cloned());
        }
    }

    /// The predicates that the function states, without those that its arguments imply.
    pub(super) fn written_bounds(&self) -> Option<TokenStream> {
        let clause = self.generics.where_clause.iter();
        let predicates = clause.flat_map(|clause| &clause.predicates);
        let written = predicates.filter(|bound| !self.implied.contains(bound));
        listed(written.map(ToTokens::to_token_stream))
    }

    /// Returns `false` for a type parameter, or a reference to one, that no bound makes a future by
    /// name. The machine is then native. If the type is no future, the compiler reports that once
    /// there.
    pub(crate) fn is_bounded_future(&self, ty: &Type) -> bool {
        let mut named = ty;
        while let Type::Reference(reference) = named {
            named = &reference.elem;
        }
        let Type::Path(path) = named else {
            return true;
        };
        let mut params = self.generics.type_params();
        let Some(param) = params.find(|param| path.path.is_ident(&param.ident)) else {
            return true;
        };
        let is_reference = matches!(ty, Type::Reference(_));
        !is_reference && names_future(&param.bounds) || self.has_predicate(ty, param)
    }

    /// Returns `true` if the where clause makes the type a future.
    fn has_predicate(&self, ty: &Type, param: &TypeParam) -> bool {
        let clause = self.generics.where_clause.iter();
        let mut predicates = clause.flat_map(|clause| &clause.predicates);
        let is_reference = matches!(ty, Type::Reference(_));
        predicates.any(|predicate| match predicate {
            WherePredicate::Type(bound) => {
                let is_own = match &bound.bounded_ty {
                    Type::Path(path) => !is_reference && path.path.is_ident(&param.ident),
                    other => is_reference && matches!(other, Type::Reference(_)),
                };
                is_own && names_future(&bound.bounds)
            }
            _ => false,
        })
    }
}

/// Returns `true` if the bounds name `Future` or `IntoFuture`.
fn names_future(bounds: &impl ToTokens) -> bool {
    let tokens = bounds.to_token_stream();
    FUTURES
        .iter()
        .any(|word| contains_ident(tokens.clone(), word))
}

/// The bound that a reference implies, if a type has to state it.
fn implied_bound(reference: &TypeReference, generics: &Generics) -> Option<WherePredicate> {
    let (lifetime, ty) = (reference.lifetime.as_ref()?, &reference.elem);
    let names = |name: &Ident| contains_ident(ty.to_token_stream(), &name.to_string());
    let mut params = generics.type_params();
    let is_stated = lifetime.ident == "static" && params.any(|param| names(&param.ident));
    (is_stated && are_declared(reference, generics)).then(|| parse_quote!(#ty: #lifetime))
}

/// Returns `false` if only a part of the type declares one of its lifetimes, as `for<'a>` does.
fn are_declared(reference: &TypeReference, generics: &Generics) -> bool {
    struct Declared<'g>(&'g Generics, bool);
    impl Visit<'_> for Declared<'_> {
        fn visit_lifetime(&mut self, lifetime: &Lifetime) {
            let mut declared = self.0.lifetimes();
            self.1 &=
                lifetime.ident == "static" || declared.any(|param| param.lifetime == *lifetime);
        }
    }
    let mut declared = Declared(generics, true);
    declared.visit_type_reference(reference);
    declared.1
}
