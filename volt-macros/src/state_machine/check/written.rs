//! The types that the source writes, and what their tokens tell.

use quote::format_ident;
use syn::spanned::Spanned;
use syn::{
    Expr, GenericArgument, Lit, Pat, PatTupleStruct, PathArguments, Type, TypePath, parse_quote,
};

use crate::state_machine::parse::peel;
use crate::state_machine::scope::{Binding, bindings};

/// The types that a `let` writes, or that its initial value shows.
pub(super) fn pair_types(
    pat: &Pat,
    ty: Option<&Type>,
    init: Option<&Expr>,
    out: &mut Vec<(Binding, Option<Type>)>,
) {
    let ty = ty.map(peel);
    match (pat, ty) {
        (Pat::Type(typed), _) => pair_types(&typed.pat, Some(&typed.ty), init, out),
        (Pat::Paren(paren), _) => pair_types(&paren.pat, ty, init, out),
        (Pat::Tuple(tuple), Some(Type::Tuple(types))) if tuple.elems.len() == types.elems.len() => {
            for (pat, ty) in tuple.elems.iter().zip(&types.elems) {
                pair_types(pat, Some(ty), None, out);
            }
        }
        (Pat::TupleStruct(pat), Some(Type::Path(ty))) if part_of(pat, ty).is_some() => {
            pair_types(&pat.elems[0], part_of(pat, ty), None, out);
        }
        (Pat::Reference(pat), Some(Type::Reference(ty))) => {
            pair_types(&pat.pat, Some(&ty.elem), None, out);
        }
        (Pat::Ident(_), ty) => {
            let shown = ty.cloned().or_else(|| init.and_then(shown_type));
            out.extend(
                bindings(pat)
                    .into_iter()
                    .map(|binding| (binding, shown.clone())),
            );
        }
        _ => out.extend(bindings(pat).into_iter().map(|binding| (binding, None))),
    }
}

/// The type in an `Option` or `Result` that `Some(..)`, `Ok(..)` or `Err(..)` gives.
fn part_of<'t>(pat: &PatTupleStruct, ty: &'t TypePath) -> Option<&'t Type> {
    let (variant, ty) = (pat.path.get_ident()?.to_string(), ty.path.segments.last()?);
    let PathArguments::AngleBracketed(arguments) = &ty.arguments else {
        return None;
    };
    let index = match (ty.ident.to_string().as_str(), variant.as_str()) {
        ("Option", "Some") | ("Result", "Ok") => 0,
        ("Result", "Err") => 1,
        _ => return None,
    };
    match arguments.args.get(index).filter(|_| pat.elems.len() == 1)? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// The type that an expression writes out.
pub(super) fn shown_type(expr: &Expr) -> Option<Type> {
    match expr {
        Expr::Cast(cast) => Some((*cast.ty).clone()),
        Expr::Paren(paren) => shown_type(&paren.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) if !int.suffix().is_empty() => Some(primitive(int.suffix(), expr)),
            Lit::Float(float) if !float.suffix().is_empty() => {
                Some(primitive(float.suffix(), expr))
            }
            Lit::Bool(_) => Some(primitive("bool", expr)),
            Lit::Char(_) => Some(primitive("char", expr)),
            Lit::Byte(_) => Some(primitive("u8", expr)),
            Lit::Str(_) => Some(parse_quote!(&'static ::core::primitive::str)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the expression is a number whose type it does not say.
pub(super) fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => is_number(&paren.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.suffix().is_empty(),
            Lit::Float(float) => float.suffix().is_empty(),
            _ => false,
        },
        _ => false,
    }
}

pub(super) fn primitive(name: &str, place: &impl Spanned) -> Type {
    let name = format_ident!("{name}", span = place.span());
    parse_quote!(#name)
}

pub(super) fn string(place: &impl Spanned) -> Type {
    primitive("String", place)
}

/// The types of the language, by their names.
pub(crate) const PRIMITIVES: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64", "bool", "char", "str",
];

/// Whether a type may have a destructor, as far as its tokens tell.
pub(super) fn drops(ty: &Type) -> bool {
    match ty {
        Type::Reference(_) | Type::Ptr(_) | Type::FnPtr(_) | Type::Never(_) => false,
        Type::Tuple(tuple) => tuple.elems.iter().any(drops),
        Type::Array(array) => drops(&array.elem),
        Type::Paren(paren) => drops(&paren.elem),
        Type::Group(group) => drops(&group.elem),
        Type::Path(path) => {
            let segments: Vec<_> = path.path.segments.iter().map(|one| &one.ident).collect();
            let is_plain = match segments[..] {
                [name] => PRIMITIVES.iter().any(|plain| name == plain),
                [core, module, _] => core == "core" && module == "primitive",
                _ => false,
            };
            !is_plain && optional(path).is_none_or(drops)
        }
        _ => true,
    }
}

/// The type in `Option<_>`, which has a destructor if that has.
fn optional(path: &TypePath) -> Option<&Type> {
    let [segment] = path.path.segments.iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) if segment.ident == "Option" => {
            match arguments.args.first()? {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_drops_what_is_in_it() {
        let drops_it = |source: &str| drops(&syn::parse_str(source).expect("a type"));
        assert!(!drops_it("Option<[u32; 20]>"));
        assert!(!drops_it("Option<(u8, &'a str)>"));
        assert!(!drops_it("(::core::primitive::usize, bool)"));
        assert!(drops_it("Option<String>"));
        assert!(drops_it("Vec<u8>"));
        assert!(drops_it("option::Option<u8>"));
    }
}
