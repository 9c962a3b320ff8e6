//! Fallback reasons of a signature.

use syn::{FnArg, ReturnType, Safety, Signature, Type};

use super::fallbacks::Doubts;
use super::reason::Reason;
use crate::signature::impl_trait;

/// Notes the fallback reasons of a signature.
pub(crate) fn check_signature(sig: &Signature, doubts: &mut Doubts) {
    let parameters = &sig.generics.params;
    let lifetimes = sig.generics.lifetimes().count();
    if parameters.len() > lifetimes {
        doubts.note(Reason::TypeParameter, parameters);
    }
    if let Safety::Unsafe(token) = &sig.safety {
        doubts.note(Reason::UnsafeCode, token);
    }
    check_output(sig, doubts);
    for input in &sig.inputs {
        if let FnArg::Typed(input) = input
            && impl_trait(&input.ty).is_some()
        {
            doubts.note(Reason::TypeParameter, &input.ty);
        }
    }
}

fn check_output(sig: &Signature, doubts: &mut Doubts) {
    let ReturnType::Type(_, ty) = &sig.output else {
        return;
    };
    match &**ty {
        Type::Never(_) => doubts.note(Reason::NeverOutput, ty),
        ty if impl_trait(ty).is_some() => doubts.note(Reason::OutputType, ty),
        _ => {}
    }
}
