//! The bounds of type parameters.

use quote::ToTokens;
use syn::{Type, TypeParam, WherePredicate};

use super::named::Signature;
use crate::names::FUTURES;
use crate::syntax::holds_word;

impl Signature {
    /// Returns `false` if the type is a type parameter, or a reference to one, that no bound makes
    /// a future by name. If it is no future, the machine is native, where the compiler reports that
    /// once. If it is, it is a future there, too.
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

/// Returns `true` if the bounds name the trait of futures, or the trait of what becomes one.
fn names_future(bounds: &impl ToTokens) -> bool {
    let tokens = bounds.to_token_stream();
    FUTURES.iter().any(|word| holds_word(tokens.clone(), word))
}
