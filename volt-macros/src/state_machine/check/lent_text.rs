//! Texts that are made in the arguments of a call, and lent to it.
//!
//! `ask(&format!("GET {key}")).await` lends a temporary for the whole of the await. Its type is known,
//! so it is kept as a local would be, and what is evaluated before it comes before it:
//!
//! ```text
//! f(next(), &format!(..)).await   { let operand = next(); let operand_2: String = format!(..);
//!                                   f(operand, &operand_2).await }
//! ```
//!
//! It goes before the rest of the statement does, and not after, which nobody can tell of a text.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprAwait, Type};

use super::checker::Check;
use super::earlier::Earlier;
use super::slots::{Role, slots};
use crate::state_machine::body::{Kind, holds_await};
use crate::state_machine::errors::Rule;

impl Check<'_> {
    /// An await of a call that is lent texts made in its arguments, with the texts in locals.
    pub(super) fn lent_texts(&mut self, node: &ExprAwait) -> Option<Kind> {
        let mut outer = node.clone();
        let base = peeled(&mut outer.base);
        if !matches!(base, Expr::Call(_) | Expr::MethodCall(_)) || holds_await(&*base) {
            return None;
        }
        let mut parts = slots(base);
        let last = parts.iter().rposition(|slot| makes_text(slot.part))?;
        let texts: Vec<_> = parts[..=last]
            .iter()
            .map(|slot| slot.part.to_token_stream())
            .collect();
        let mut earlier = Vec::new();
        for (index, slot) in parts[..=last].iter().enumerate() {
            earlier.push(match self.earlier(slot, &texts[index + 1..]) {
                _ if makes_text(slot.part) => Earlier::Stays,
                Earlier::StaysAs(_) if slot.role == Role::Receiver => Earlier::Stays,
                Earlier::Refused => return None,
                earlier => earlier,
            });
        }
        let depth = self.scope.len();
        let mut spills = Vec::new();
        for (slot, earlier) in parts.iter().zip(&earlier) {
            if let Earlier::Stays | Earlier::StaysAs(_) = earlier
                && !makes_text(slot.part)
                && let Some(claim) = self.stays(slot)
            {
                self.claim(claim);
            }
        }
        self.nested += 1;
        for (slot, earlier) in parts.iter_mut().zip(earlier) {
            match earlier {
                _ if makes_text(slot.part) => {
                    let text = text_of(slot.part);
                    let ty: Type = syn::parse_quote_spanned!(text.span()=> String);
                    self.prove_lasting(text, Rule::LastingTemporary);
                    spills.push(self.spilled(text, Some(ty)));
                }
                Earlier::StaysAs(expr) => *slot.part = expr,
                Earlier::Spills(ty) => {
                    self.prove_lasting(slot.part, Rule::LastingTemporary);
                    spills.push(self.spilled(slot.part, ty));
                }
                Earlier::Stays | Earlier::Refused => {}
            }
        }
        self.nested -= 1;
        let kind = self.behind(spills, |this| this.await_point(&outer));
        self.scope.truncate(depth);
        Some(kind)
    }
}

/// Whether the argument is a reference to a text that is made here.
fn makes_text(argument: &Expr) -> bool {
    match argument {
        Expr::Reference(node) => node.mutability.is_none() && is_text(&node.expr),
        Expr::MethodCall(call) => {
            let looks = call.method == "as_str" || call.method == "as_bytes";
            looks && call.args.is_empty() && is_text(&call.receiver)
        }
        _ => false,
    }
}

fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(node) => is_text(&node.expr),
        Expr::Macro(node) => node.mac.path.is_ident("format"),
        Expr::MethodCall(call) => call.method == "to_string" && call.args.is_empty(),
        _ => false,
    }
}

/// The text in an argument that makes one.
fn text_of(argument: &mut Expr) -> &mut Expr {
    match argument {
        Expr::Reference(node) => &mut node.expr,
        Expr::MethodCall(call) => &mut call.receiver,
        other => other,
    }
}

fn peeled(expr: &mut Expr) -> &mut Expr {
    match expr {
        Expr::Paren(paren) => peeled(&mut paren.expr),
        Expr::Group(group) => peeled(&mut group.expr),
        other => other,
    }
}
