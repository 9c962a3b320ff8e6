//! The operator `?`.

use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::{Expr, ReturnType, Signature, Type, parse_quote, spanned::Spanned};

use crate::names::{last_of, within_user};

/// The kind of the function's output, by the name of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hir) enum TryKind {
    Result,
    Option,
    Unknown,
}

impl TryKind {
    pub(in crate::hir) fn of(sig: &Signature) -> Self {
        let name = match &sig.output {
            ReturnType::Type(_, ty) => name_of(ty),
            ReturnType::Default => None,
        };
        match name {
            Some(name) if name.to_string().ends_with("Result") => Self::Result,
            Some(name) if name == "Option" => Self::Option,
            _ => Self::Unknown,
        }
    }
}

fn name_of(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Paren(paren) => name_of(&paren.elem),
        Type::Path(path) => last_of(&path.path),
        _ => None,
    }
}

/// Expands `value?` in a function that returns an `Option`. No local has the name `given`.
pub(in crate::hir) fn of_option(value: &Expr, value_name: &Ident) -> Expr {
    let span = value.span();
    let mixed = Span::mixed_site().located_at(span);
    let expanded = quote_spanned! {mixed=>
        (match #value {
            ::core::option::Option::Some(#value_name) => #value_name,
            ::core::option::Option::None => return ::core::option::Option::None,
        })
    };
    let expanded = within_user(expanded, span);
    parse_quote!(#expanded)
}
