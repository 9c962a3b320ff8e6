//! Properties that the syntax of a type shows.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type, TypeReference};

use crate::names::{any_token, is_owner};
use crate::syntax::contains_ident;

fn reference(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(node) => Some(node),
        Type::Paren(node) => reference(&node.elem),
        _ => None,
    }
}

/// Returns `true` if the type is written as a reference.
pub(crate) fn is_reference(ty: &Type) -> bool {
    reference(ty).is_some()
}

/// Returns `true` if the type is written as a shared reference.
pub(crate) fn is_shared_reference(ty: &Type) -> bool {
    reference(ty).is_some_and(|node| node.mutability.is_none())
}

/// Returns `true` if the type is written as a mutable reference.
pub(crate) fn is_mutable_reference(ty: &Type) -> bool {
    reference(ty).is_some_and(|node| node.mutability.is_some())
}

/// Returns `true` if the type is a single name. A search of its tokens would find nothing.
fn is_name(ty: &Type) -> bool {
    matches!(ty, Type::Path(node) if node.qself.is_none() && node.path.get_ident().is_some())
}

/// Returns `true` if the type is written as a reference, or as the `Res` of `volt-durable`, which
/// dereferences to a value of the worker.
pub(in crate::hir) fn refers(ty: &Type) -> bool {
    let is_resource = |ty: &Type| match ty {
        Type::Path(node) => node
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Res"),
        _ => false,
    };
    is_reference(ty) || is_resource(ty)
}

/// Returns `true` if no part of the type is inferred.
pub(crate) fn is_fully_written(ty: &Type) -> bool {
    is_name(ty) || !matches!(ty, Type::Infer(_)) && !contains_ident(ty.to_token_stream(), "_")
}

/// Returns `true` if the syntax of the type shows a borrow: a reference or a lifetime.
pub(crate) fn borrows(ty: &Type) -> bool {
    let mut after_quote = false;
    any_token(ty.to_token_stream(), &mut |token| match token {
        TokenTree::Punct(mark) => {
            after_quote = mark.as_char() == '\'';
            mark.as_char() == '&'
        }
        TokenTree::Ident(word) => std::mem::take(&mut after_quote) && word != "static",
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns `true` if the syntax of the type shows that its values borrow nothing. An unknown name
/// may hide a lifetime, as in `MutexGuard<u32>`.
pub(crate) fn owns(ty: &Type) -> bool {
    match ty {
        Type::Path(node) => {
            let last = node.path.segments.last();
            is_copy(ty)
                || last.is_some_and(|last| is_owner(&last.ident) && owns_all(&last.arguments))
        }
        ty => is_copy(ty) && !borrows(ty),
    }
}

/// Returns `true` if the syntax of the type shows no borrow. A trait object takes the lifetime of
/// the value that it was made of.
pub(crate) fn shows_no_borrow(ty: &Type) -> bool {
    is_name(ty)
        || is_fully_written(ty) && !borrows(ty) && !contains_ident(ty.to_token_stream(), "dyn")
}

fn owns_all(arguments: &PathArguments) -> bool {
    let owns = |argument: &_| matches!(argument, GenericArgument::Type(ty) if owns(ty));
    match arguments {
        PathArguments::None => true,
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().all(owns),
        PathArguments::Parenthesized(_) => false,
    }
}

/// Returns `true` if the syntax of the type shows a borrow, and not that its values are `Copy`.
pub(crate) fn is_exclusive(ty: &Type) -> bool {
    borrows(ty) && !is_copy(ty)
}

/// The primitive types, which are `Copy` and have no destructor.
pub(crate) const COPIED: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "u128", "usize",
];

/// Returns `true` if the syntax of the type shows that it is `Copy` and has no destructor.
pub(crate) fn is_copy(ty: &Type) -> bool {
    match ty {
        Type::Path(node) => {
            // The text of a name is made once, because each comparison would make it again.
            let name = node.path.get_ident().map(ToString::to_string);
            name.is_some_and(|name| COPIED.contains(&&*name))
        }
        Type::Reference(node) => node.mutability.is_none(),
        Type::Tuple(node) => node.elems.iter().all(is_copy),
        Type::Array(node) => is_copy(&node.elem),
        Type::Paren(node) => is_copy(&node.elem),
        _ => false,
    }
}

/// Collections with an empty value, whose drop has no effect. Their values are not `Copy`.
const COLLECTIONS: &[&str] = &[
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "String",
    "Vec",
    "VecDeque",
];

/// Returns `true` if the syntax of the type shows that it has an empty value, and is not `Copy`: a
/// collection, or an `Option` of one.
pub(in crate::hir) fn has_empty_value(ty: &Type) -> bool {
    let Type::Path(node) = ty else { return false };
    let last = node.path.segments.last();
    last.is_some_and(|last| match &last.arguments {
        PathArguments::AngleBracketed(arguments) if last.ident == "Option" => {
            let mut arguments = arguments.args.iter();
            arguments.all(
                |argument| matches!(argument, GenericArgument::Type(ty) if has_empty_value(ty)),
            )
        }
        _ => COLLECTIONS.iter().any(|name| last.ident == name),
    })
}

/// Returns `true` if the syntax of the type shows that it has its own `Serialize` and
/// `Deserialize`: a primitive type, a `String`, or an `Option` or `Vec` of these.
pub(crate) fn has_own_form(ty: &Type) -> bool {
    let Type::Path(node) = ty else { return false };
    let [segment] = &*node.path.segments.iter().collect::<Vec<_>>() else {
        return false;
    };
    let name = segment.ident.to_string();
    match &segment.arguments {
        PathArguments::None => name == "String" || COPIED.contains(&&*name),
        PathArguments::AngleBracketed(arguments) if name == "Vec" || name == "Option" => {
            let mut arguments = arguments.args.iter();
            arguments
                .all(|argument| matches!(argument, GenericArgument::Type(ty) if has_own_form(ty)))
        }
        _ => false,
    }
}

/// Returns `true` if a method with `&self` borrows the value itself. This holds for a `Copy` type
/// that is not a reference, or that refers to an unsized type. A trait for all sized types is then
/// implemented by the reference.
pub(crate) fn is_borrowed_by_methods(ty: &Type) -> bool {
    let is_unsized = |ty: &Type| match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(node) => node.path.is_ident("str"),
        _ => false,
    };
    is_copy(ty) && reference(ty).is_none_or(|node| is_unsized(&node.elem))
}

/// Returns `true` if the syntax of the type shows that it has no destructor.
pub(crate) fn is_plain(ty: &Type) -> bool {
    is_copy(ty) || is_reference(ty)
}
