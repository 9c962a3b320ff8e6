//! What is asked of generic parameters.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{Expr, GenericParam, Lifetime, Type, TypeArray, parse_quote};

use super::parse::Function;

/// The name of a generic parameter.
pub(crate) fn generic_name(param: &GenericParam) -> String {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    }
}

/// Makes arrays one long where their length is not a number: they drop what one of them drops.
struct Shorten;

impl VisitMut for Shorten {
    fn visit_type_array_mut(&mut self, array: &mut TypeArray) {
        if !matches!(array.len, Expr::Lit(_)) {
            array.len = parse_quote!(1);
        }
        self.visit_type_mut(&mut array.elem);
    }
}

/// A type that drops what the type drops, whatever length its arrays have.
pub(crate) fn shortened(ty: &Type) -> Type {
    let mut ty = ty.clone();
    Shorten.visit_type_mut(&mut ty);
    ty
}

/// Replaces lifetimes.
struct Erase<'a>(&'a Function);

impl VisitMut for Erase<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        let mut declared = self.0.generics.lifetimes();
        if declared.any(|param| param.lifetime == *lifetime) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }
    }
}

impl Function {
    /// A type that drops what this one drops, as a constant may name it: it must not depend on
    /// lifetimes, nor on the lengths of arrays.
    pub(crate) fn erased(&self, ty: &Type) -> Type {
        let mut ty = shortened(ty);
        Erase(self).visit_type_mut(&mut ty);
        ty
    }

    /// A type that mentions all parameters, if there are any.
    pub(crate) fn mentions_all(&self) -> Option<TokenStream> {
        let params = self.generics.params.iter();
        let types: Vec<_> = params
            .filter_map(|param| match param {
                GenericParam::Type(param) => {
                    let name = &param.ident;
                    Some(quote!(*const #name))
                }
                GenericParam::Lifetime(param) => {
                    let lifetime = &param.lifetime;
                    Some(quote!(&#lifetime ()))
                }
                GenericParam::Const(_) => None,
            })
            .collect();
        (!types.is_empty()).then(|| quote!(fn() -> (#(#types,)*)))
    }
}
