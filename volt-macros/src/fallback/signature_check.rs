//! Fallback reasons of a signature.

use syn::{FnArg, ReturnType, Safety, Signature, Type};

use super::fallbacks::Fallbacks;
use super::reason::FallbackReason;
use crate::signature::impl_trait;

/// Notes the fallback reasons of a signature.
pub(crate) fn check_signature(sig: &Signature, fallbacks: &mut Fallbacks) {
    let parameters = &sig.generics.params;
    let lifetimes = sig.generics.lifetimes().count();
    if parameters.len() > lifetimes {
        fallbacks.note(FallbackReason::TypeParameter, parameters);
    }
    if let Safety::Unsafe(token) = &sig.safety {
        fallbacks.note(FallbackReason::UnsafeCode, token);
    }
    check_output(sig, fallbacks);
    for input in &sig.inputs {
        if let FnArg::Typed(input) = input
            && impl_trait(&input.ty).is_some()
        {
            fallbacks.note(FallbackReason::TypeParameter, &input.ty);
        }
    }
}

fn check_output(sig: &Signature, fallbacks: &mut Fallbacks) {
    let ReturnType::Type(_, ty) = &sig.output else {
        return;
    };
    match &**ty {
        Type::Never(_) => fallbacks.note(FallbackReason::NeverOutput, ty),
        ty if impl_trait(ty).is_some() => fallbacks.note(FallbackReason::OutputType, ty),
        _ => {}
    }
}
