//! Signatures that the compiler rejects.

use proc_macro2::TokenStream;
use syn::{Attribute, FnArg, GenericParam, ReturnType, Signature, Type};

use crate::names::parameter;
use crate::syntax::signature_leaves_out_lifetimes;

/// Returns `true` if the compiler certainly rejects the signature: two parameters have one name, a
/// lifetime has a reserved name, an argument or the output has no size, a type leaves out its
/// lifetimes, or the function is `const`. Such a function is left as it is.
pub(crate) fn is_rejected(sig: &Signature) -> bool {
    // Under a condition, one of two parameters may be missing.
    let params = sig
        .generics
        .params
        .iter()
        .filter(|param| attrs_of(param).is_empty());
    let mut names: Vec<_> = params.map(parameter).collect();
    names.sort_by_key(ToString::to_string);
    let is_reserved = |name: &TokenStream| matches!(&*name.to_string(), "'static" | "'_");
    let is_double = |two: &[TokenStream]| two[0].to_string() == two[1].to_string();
    let mut inputs = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&*input.ty),
        FnArg::Receiver(_) => None,
    });
    let has_size = |ty: &Type| match ty {
        Type::Path(path) => !path.path.is_ident("str"),
        ty => !matches!(ty, Type::Slice(_) | Type::TraitObject(_)),
    };
    let output = match &sig.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    sig.constness.is_some() && sig.asyncness.is_some()
        || names.iter().any(is_reserved)
        || names.windows(2).any(is_double)
        || !inputs.all(has_size)
        || !output.is_none_or(has_size)
        || signature_leaves_out_lifetimes(sig)
}

fn attrs_of(param: &GenericParam) -> &[Attribute] {
    match param {
        GenericParam::Lifetime(param) => &param.attrs,
        GenericParam::Type(param) => &param.attrs,
        GenericParam::Const(param) => &param.attrs,
    }
}
