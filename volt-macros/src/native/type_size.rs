//! The least size of a type, by its name.

use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, PathSegment, Type};

/// Returns the least size of a type in bytes, for pointers of eight bytes, or zero if the size is
/// unknown.
pub(super) fn least_size(ty: &Type) -> usize {
    match ty {
        Type::Group(ty) => least_size(&ty.elem),
        Type::Paren(ty) => least_size(&ty.elem),
        Type::Reference(ty) => 8 + length(&ty.elem),
        Type::Ptr(ty) => 8 + length(&ty.elem),
        Type::FnPtr(_) => 8,
        Type::Tuple(ty) => ty.elems.iter().map(least_size).sum(),
        Type::Array(ty) => match &ty.len {
            Expr::Lit(length) => {
                least_size(&ty.elem).saturating_mul(number_of(length).unwrap_or(0))
            }
            _ => 0,
        },
        Type::Path(ty) => ty.path.segments.last().map_or(0, named),
        _ => 0,
    }
}

/// Returns the size of a pointer's metadata: a length or a vtable.
fn length(ty: &Type) -> usize {
    let is_text = matches!(ty, Type::Path(ty) if ty.path.is_ident("str"));
    if is_text || matches!(ty, Type::Slice(_) | Type::TraitObject(_)) {
        8
    } else {
        0
    }
}

/// Returns the value of an integer literal.
fn number_of(literal: &ExprLit) -> Option<usize> {
    match &literal.lit {
        Lit::Int(number) => number.base10_parse().ok(),
        _ => None,
    }
}

fn named(segment: &PathSegment) -> usize {
    match &*segment.ident.to_string() {
        "u8" | "i8" | "bool" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" | "f32" | "char" => 4,
        "u64" | "i64" | "f64" | "usize" | "isize" | "Rc" | "Arc" => 8,
        "u128" | "i128" => 16,
        "String" | "Vec" | "PathBuf" | "HashMap" | "BTreeMap" | "VecDeque" => 24,
        "Box" => 8 + first(segment, length),
        "Option" | "Pin" => first(segment, least_size),
        _ => 0,
    }
}

/// Returns the size of the first generic argument that is a type.
fn first(segment: &PathSegment, size: impl Fn(&Type) -> usize) -> usize {
    let PathArguments::AngleBracketed(list) = &segment.arguments else {
        return 0;
    };
    let mut types = list.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(size(ty)),
        _ => None,
    });
    types.next().unwrap_or(0)
}
