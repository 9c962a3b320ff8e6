//! An awaited `poll_fn`, whose closure the machine calls itself.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{ExprClosure, Pat, Path};

use super::errors::{Errors, Rule};
use super::scope::{bindings, holds_word};

/// Whether `poll_fn` is written as the standard library's. Of the name alone the twin asks.
pub(super) fn may_be_of_std(path: &Path) -> bool {
    let of_std = ["std", "core"].iter().any(|first| {
        let mut segments = path.segments.iter().map(|one| one.ident.to_string());
        let expected = [*first, "future", "poll_fn"];
        segments.len() == 3 && segments.by_ref().eq(expected)
    });
    of_std || path.get_ident().is_some()
}

/// Refuses a closure that the machine cannot call at each poll, or that would never be woken.
pub(super) fn check_closure(closure: &ExprClosure, errors: &mut Errors) {
    if let Some(capture) = &closure.capture {
        errors.refuse(Rule::MovePollFn, capture);
    }
    let Some(context) = closure.inputs.first() else {
        return;
    };
    let context = match context {
        Pat::Type(typed) => &*typed.pat,
        other => other,
    };
    let body = closure.body.to_token_stream();
    let used = |name: &Ident| holds_word(body.clone(), &name.to_string()).is_some();
    if !bindings(context).iter().any(|binding| used(&binding.ident)) {
        errors.refuse(Rule::IgnoredContext, closure);
    }
}
