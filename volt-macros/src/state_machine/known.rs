//! Calls whose type has a parameter that their operand shows: `join_all(futures).await`.
//!
//! A combinator stands among the types under its function's name, with the function's parameters.
//! The macro cannot know which functions have any, but those of volt it knows by name. A path that
//! begins with `self`, `super` or `crate` leads to a machine of the user's own, and is left alone.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprPath, PathArguments};

use super::composing::{futures_of, is_own};
use super::errors::{Errors, Rule};
use super::lending::{Surroundings, is_constant};
use super::scope::plain_name;
use super::source_text::source_text;

/// Functions of one operand, which cannot lend it anything.
const KNOWN: &[&str] = &[
    "compose",
    "join_all",
    "race_all",
    "race_ok_all",
    "settle_all",
    "try_join_all",
];

impl Surroundings<'_> {
    /// The type of a call of a function that is known, if its operand shows its type.
    pub(super) fn known_call(&self, path: &ExprPath, call: &ExprCall) -> Option<TokenStream> {
        let last = path.path.segments.last()?;
        let plain = path.qself.is_none() && matches!(last.arguments, PathArguments::None);
        if is_own(path) || !plain || !KNOWN.iter().any(|name| last.ident == name) {
            return None;
        }
        let operand = call.args.first().filter(|_| call.args.len() == 1)?;
        let shown = self.shown_type(operand)?;
        Some(quote!(#path::<#shown>))
    }

    /// Refuses an `async` block among the operands, whose type has no name; and a future that borrows,
    /// as the operand of a function that cannot lend it anything: it would be stored within another
    /// future, with the references that it holds.
    pub(super) fn refuse_lent(&self, path: &ExprPath, call: &ExprCall, errors: &mut Errors) {
        let Some(last) = path.path.segments.last().filter(|_| !is_own(path)) else {
            return;
        };
        let is_known = KNOWN.iter().any(|name| last.ident == name);
        let futures = match is_known && call.args.len() == 1 {
            true => call.args.iter().collect(),
            false => futures_of(&last.ident, call),
        };
        let types = last.arguments.to_token_stream().to_string();
        if types.contains('\'') {
            return;
        }
        let blocks = futures
            .iter()
            .filter(|operand| matches!(operand, Expr::Async(_)));
        for block in blocks.filter(|_| last.arguments.is_none()) {
            let name = &last.ident;
            let instead = format!(
                "make a function of it, `#[volt::state_machine] async fn part(..) -> T {{ .. }}`, and \
                 `{name}(.. part(..) ..).await`; or a box, `let part: Pin<Box<dyn Future<Output = T> \
                 + Send>> = Box::pin(async move {{ .. }});` and `{name}(.. part ..).await`"
            );
            errors.refuse_as(Rule::AwaitedAsyncBlock, block, &instead);
        }
        for operand in futures.into_iter().filter(|operand| self.borrows(operand)) {
            let text = source_text(operand);
            let name = &last.ident;
            let instead = match is_known {
                false => {
                    format!("leave the types out, they are seen: `{name}(.. {text} ..).await`")
                }
                true => format!(
                    "hand on one that owns what it needs: `let future: Pin<Box<dyn Future<Output = \
                     T> + Send>> = Box::pin(async move {{ {text}.await }});` and `{name}(.. future \
                     ..).await`; without a box, a machine that is given the values, as in `async \
                     fn owner(value: V) -> T {{ callee(&value).await }}`, and `{name}(.. \
                     owner(value) ..).await`"
                ),
            };
            errors.refuse_as(Rule::LentOperand, operand, &instead);
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
}
