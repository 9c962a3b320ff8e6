//! Calls whose type has parameters that their operands show: `race(a(), b()).await`.
//!
//! A combinator stands among the types under its function's name, with the function's parameters.
//! The macro cannot know which functions have any, but those of volt it knows by name. A path that
//! begins with `self`, `super` or `crate` leads to a machine of the user's own, and is left alone.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprPath, PathArguments};

use super::callee::owner;
use super::lending::Surroundings;
use super::scope::plain_name;

/// A function's name, how many operands it has, and which of them give the type its parameters.
const KNOWN: &[(&str, usize, &[usize])] = &[
    ("compose", 1, &[0]),
    ("join", 2, &[0, 1]),
    ("join_all", 1, &[0]),
    ("race", 2, &[0, 1]),
    ("race_all", 1, &[0]),
    ("race_ok_all", 1, &[0]),
    ("settle_all", 1, &[0]),
    ("shielded", 1, &[0]),
    ("timeout", 2, &[1]),
    ("timeout_at", 2, &[1]),
    ("try_join", 2, &[0, 1]),
    ("try_join_all", 1, &[0]),
];

impl Surroundings<'_> {
    /// The type of a call of a function that is known, if its operands show their types.
    pub(super) fn known_call(&self, path: &ExprPath, call: &ExprCall) -> Option<TokenStream> {
        let last = path.path.segments.last()?;
        let first = path.path.segments.first()?;
        let is_own = ["self", "super", "crate"]
            .iter()
            .any(|own| first.ident == own);
        if is_own || path.qself.is_some() || !matches!(last.arguments, PathArguments::None) {
            return None;
        }
        let (_, len, operands) = KNOWN.iter().find(|(name, ..)| last.ident == name)?;
        if call.args.len() != *len {
            return None;
        }
        let shown = operands.iter().map(|&n| self.shown_operand(&call.args[n]));
        let types = shown.collect::<Option<Vec<_>>>()?;
        Some(quote!(#path::<#(#types),*>))
    }

    /// The type of an operand, if it is a call of a function or a local whose type is written.
    fn shown_operand(&self, operand: &Expr) -> Option<TokenStream> {
        match operand {
            Expr::Paren(paren) => self.shown_operand(&paren.expr),
            Expr::Group(group) => self.shown_operand(&group.expr),
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return None;
                };
                let is_local = path
                    .path
                    .get_ident()
                    .is_some_and(|name| self.local(name).is_some());
                if is_local || path.qself.is_some() || owner(path).is_some() {
                    return None;
                }
                let known = self.known_call(path, call);
                Some(known.unwrap_or_else(|| path.to_token_stream()))
            }
            other => {
                let ty = self.local(plain_name(other)?)?.ty.as_ref()?;
                Some(ty.to_token_stream())
            }
        }
    }
}
