//! One function, through all stages.

use syn::{Block, Signature, Type};

use super::arguments::{bind_patterns, bound_first};
use crate::cfg::{self, Cfg};
use crate::doubt::{Doubts, Reason};
use crate::hir::{self, Body};
use crate::liveness::{self, Liveness};
use crate::signature::impl_trait;
use crate::{resolve, syntax};

/// What is known of a function.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) body: Body,
    pub(crate) cfg: Cfg,
    pub(crate) liveness: Liveness,
    /// If there are any, the rest is not to be relied on.
    pub(crate) doubts: Doubts,
}

/// Analyses a function.
pub(crate) fn analyse(sig: &Signature, block: &Block) -> Analysis {
    let mut doubts = Doubts::default();
    check_signature(sig, &mut doubts);
    let mut block = block.clone();
    let mut sig = sig.clone();
    let bound = bind_patterns(&mut sig, &mut block);
    let trusted = syntax::normalise(&mut sig, &mut block);
    let resolved = resolve::resolve(&sig, &block, &mut doubts);
    let mut body = hir::lower(&sig, resolved, &mut doubts);
    body.parameters = bound_first(&body, bound);
    let cfg = cfg::build(&mut body);
    let liveness = liveness::decide(&body, &cfg, &mut doubts);
    body.moves = liveness.moves.clone();
    body.believed = liveness.believed.clone();
    body.trusted = trusted;
    Analysis {
        body,
        cfg,
        liveness,
        doubts,
    }
}

fn check_signature(sig: &Signature, doubts: &mut Doubts) {
    let parameters = &sig.generics.params;
    let lifetimes = sig.generics.lifetimes().count();
    if parameters.len() > lifetimes {
        doubts.note(Reason::TypeParameter, parameters);
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        doubts.note(Reason::UnsafeCode, token);
    }
    check_output(sig, doubts);
    for input in &sig.inputs {
        if let syn::FnArg::Typed(input) = input
            && impl_trait(&input.ty).is_some()
        {
            doubts.note(Reason::TypeParameter, &input.ty);
        }
    }
}

fn check_output(sig: &Signature, doubts: &mut Doubts) {
    let syn::ReturnType::Type(_, ty) = &sig.output else {
        return;
    };
    match &**ty {
        Type::Never(_) => doubts.note(Reason::NeverOutput, ty),
        ty if impl_trait(ty).is_some() => doubts.note(Reason::OutputType, ty),
        _ => {}
    }
}
