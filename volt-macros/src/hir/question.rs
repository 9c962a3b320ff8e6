//! What `?` returns.

use proc_macro2::Ident;
use syn::{Expr, ReturnType, Signature, Type, parse_quote_spanned, spanned::Spanned};

/// What the function gives back, by the name of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Result,
    Option,
    Unknown,
}

impl Question {
    pub(super) fn of(sig: &Signature) -> Self {
        let ReturnType::Type(_, ty) = &sig.output else {
            return Self::Unknown;
        };
        let Type::Path(path) = peel(ty) else {
            return Self::Unknown;
        };
        let Some(last) = path.path.segments.last() else {
            return Self::Unknown;
        };
        match last.ident.to_string() {
            name if name.ends_with("Result") => Self::Result,
            name if name == "Option" => Self::Option,
            _ => Self::Unknown,
        }
    }
}

fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Paren(paren) => peel(&paren.elem),
        ty => ty,
    }
}

/// `value?` in a function that gives an `Option`. No local has the name `given`.
pub(super) fn of_option(value: &Expr, given: &Ident) -> Expr {
    let span = proc_macro2::Span::mixed_site().located_at(value.span());
    parse_quote_spanned! {span=>
        (match #value {
            ::core::option::Option::Some(#given) => #given,
            ::core::option::Option::None => return ::core::option::Option::None,
        })
    }
}
