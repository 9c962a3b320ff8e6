//! Calls whose type has parameters that their operands show: `race(a(), b()).await`.
//!
//! A combinator stands among the types under its function's name, with the function's parameters.
//! The macro cannot know which functions have any, but those of volt it knows by name. A path that
//! begins with `self`, `super` or `crate` leads to a machine of the user's own, and is left alone.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprPath, PathArguments};

use super::callee::owner;
use super::errors::{Errors, Rule};
use super::lending::{Surroundings, is_constant};
use super::scope::plain_name;
use super::source_text::source_text;

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

    /// Refuses a future that borrows, as an operand of a function that is known: it would be stored
    /// within another future, with the references that it holds.
    pub(super) fn refuse_lent(&self, path: &ExprPath, call: &ExprCall, errors: &mut Errors) {
        let last = path.path.segments.last();
        let Some((name, len, operands)) =
            last.and_then(|last| KNOWN.iter().find(|(name, ..)| last.ident == name))
        else {
            return;
        };
        let types = last.map(|last| last.arguments.to_token_stream().to_string());
        if call.args.len() != *len || types.is_some_and(|types| types.contains('\'')) {
            return;
        }
        for operand in operands.iter().map(|&n| &call.args[n]) {
            if self.borrows(operand) {
                let text = source_text(operand);
                let instead = format!(
                    "hand on one that owns what it needs: `let future: Pin<Box<dyn Future<Output = \
                     T> + Send>> = Box::pin(async move {{ {text}.await }});` and `{name}(.. future \
                     ..).await`; without a box, a machine that is given the values, as in `async \
                     fn owner(value: V) -> T {{ callee(&value).await }}`, and `{name}(.. \
                     owner(value) ..).await`"
                );
                errors.refuse_as(Rule::LentOperand, operand, &instead);
            }
        }
    }

    /// Whether the future is lent something by its looks.
    fn borrows(&self, operand: &Expr) -> bool {
        let borrows = |argument: &Expr| match argument {
            Expr::Reference(node) => !is_constant(&node.expr),
            other => plain_name(other)
                .is_some_and(|name| self.local(name).is_none() && self.lent(name).is_some()),
        };
        match operand {
            Expr::Paren(paren) => self.borrows(&paren.expr),
            Expr::Group(group) => self.borrows(&group.expr),
            Expr::Call(call) => {
                let is_written = |path: &ExprPath| {
                    path.path
                        .segments
                        .iter()
                        .any(|part| !part.arguments.is_none())
                };
                let written = matches!(&*call.func, Expr::Path(path) if is_written(path));
                !written && call.args.iter().any(borrows)
            }
            Expr::MethodCall(call) => {
                let name = plain_name(&call.receiver);
                name.is_some_and(|name| self.lent(name).is_some()) || call.args.iter().any(borrows)
            }
            _ => false,
        }
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
