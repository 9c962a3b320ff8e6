//! The bounds of type parameters.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{
    GenericArgument, Generics, Lifetime, PathArguments, PathSegment, Type, TypeParam,
    TypeParamBound, TypePath, TypeReference, WherePredicate, parse_quote,
};

use super::elided::types_in;
use super::named::{Signature, listed};
use crate::names::FUTURES;
use crate::syntax::{contains_ident, declared_lifetimes};

impl Signature {
    /// Adds `T: 'static` for an argument of type `&'static T`, and `'a: 'static` for `Hold<'a>` if
    /// the module declares `struct Hold<'a: 'static>`. A function may rely on these bounds, because
    /// its arguments imply them. A struct must state them, because rustc infers only other bounds.
    pub(super) fn state_implied_bounds(&mut self) {
        let generics = &self.generics;
        let arguments = self.arguments.iter();
        let types = arguments.flat_map(|argument| types_in(&argument.ty));
        let bounds = types.filter_map(|ty| match ty {
            Type::Reference(reference) => implied_bound(reference, generics),
            _ => None,
        });
        self.implied = bounds.collect();
        let impl_target = self.self_ty.iter();
        let all = impl_target.chain(self.arguments.iter().map(|argument| &argument.ty));
        let paths = all.flat_map(types_in).filter_map(|ty| match ty {
            Type::Path(ty) => ty.path.segments.last(),
            _ => None,
        });
        for lifetime in paths.flat_map(|last| static_lifetimes(last, generics)) {
            let bound = parse_quote!(#lifetime: 'static);
            if !self.implied.contains(&bound) {
                self.implied.push(bound);
            }
        }
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
    /// name, and for a box that is no future. The machine is then native. If the type is no future,
    /// the compiler reports that once there.
    pub(crate) fn is_bounded_future(&self, ty: &Type) -> bool {
        let mut named = ty;
        while let Type::Reference(reference) = named {
            named = &reference.elem;
        }
        let Type::Path(path) = named else {
            return true;
        };
        if is_pinned_only(path) {
            return false;
        }
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

/// Returns `true` for `Box<dyn Future>` without `Unpin`, which is no future.
fn is_pinned_only(path: &TypePath) -> bool {
    let Some(PathSegment {
        ident,
        arguments: PathArguments::AngleBracketed(arguments),
    }) = path.path.segments.last()
    else {
        return false;
    };
    let Some(GenericArgument::Type(Type::TraitObject(object))) = arguments.args.first() else {
        return false;
    };
    let is_known = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|last| ["Future", "Send", "Sync"].iter().any(|it| last.ident == it))
        }
        TypeParamBound::Lifetime(_) => true,
        _ => false,
    };
    ident == "Box" && object.bounds.iter().all(is_known)
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

/// The lifetimes in a path that the declaration of its type bounds by `'static`.
fn static_lifetimes(last: &PathSegment, generics: &Generics) -> Vec<Lifetime> {
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return Vec::new();
    };
    let (mut lifetimes, mut types) = (Vec::new(), Vec::new());
    for argument in &arguments.args {
        let found = DeclaredIn::of(argument, generics);
        match argument {
            GenericArgument::Lifetime(_) => lifetimes.push(found),
            GenericArgument::Type(_) => types.push(found),
            _ => {}
        }
    }
    if lifetimes.iter().chain(&types).all(Vec::is_empty) {
        return Vec::new();
    }
    let declared = declared_lifetimes(last.ident.span(), &last.ident.to_string());
    let declared = declared.unwrap_or_default();
    let lifetimes = lifetimes.into_iter().zip(declared.are_static);
    let types = types.into_iter().zip(declared.are_types_static);
    let found = lifetimes.chain(types).filter(|(_, is_static)| *is_static);
    found.flat_map(|(found, _)| found).collect()
}

/// The lifetimes in a part of a type that the generics declare.
struct DeclaredIn<'g>(&'g Generics, Vec<Lifetime>);

impl DeclaredIn<'_> {
    fn of(argument: &GenericArgument, generics: &Generics) -> Vec<Lifetime> {
        let mut found = DeclaredIn(generics, Vec::new());
        found.visit_generic_argument(argument);
        found.1
    }
}

impl Visit<'_> for DeclaredIn<'_> {
    fn visit_lifetime(&mut self, lifetime: &Lifetime) {
        let mut declared = self.0.lifetimes();
        if declared.any(|param| param.lifetime == *lifetime) {
            self.1.push(lifetime.clone());
        }
    }
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
