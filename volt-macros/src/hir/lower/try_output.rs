//! The output of a function that contains the operator `?`.

use proc_macro2::Ident;
use syn::{ReturnType, Signature, Type};

use crate::names::last_of;

/// Returns `true` if the function returns a `Result` or an `Option`, by the name of the type. The
/// output of another type may be made from a residual of several types.
pub(super) fn returns_result_or_option(sig: &Signature) -> bool {
    let name = match &sig.output {
        ReturnType::Type(_, ty) => name_of(ty),
        ReturnType::Default => None,
    };
    name.is_some_and(|name| name == "Option" || name.to_string().ends_with("Result"))
}

fn name_of(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Paren(paren) => name_of(&paren.elem),
        Type::Path(path) => last_of(&path.path),
        _ => None,
    }
}
