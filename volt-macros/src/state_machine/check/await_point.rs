//! Suspend points.

use proc_macro2::Ident;
use syn::{Expr, ExprAwait, ExprMethodCall, parse_quote};

use super::checker::Check;
use super::slots::{Role, Slot, slots};
use crate::state_machine::body::{Await, Kind, Operand, holds_await};
use crate::state_machine::errors::Rule;
use crate::state_machine::scope::plain_name;

impl Check<'_> {
    pub(super) fn await_point(&mut self, node: &ExprAwait) -> Kind {
        if holds_await(&*node.base) {
            return self.await_in_turn(node);
        }
        if let Some(kind) = self.lent_texts(node) {
            return kind;
        }
        let label = self.label.take();
        let mut errors = std::mem::take(self.errors);
        let before = errors.len();
        let operand = self.surroundings().operand(&node.base, &mut errors);
        *self.errors = errors;
        let (operand, name) = match operand {
            Some((mut operand, name)) => {
                if let Operand::Closure(_) = &operand {
                    self.relied.borrow_mut().extend(called_alone(&node.base));
                }
                let unsafety = self.is_in_unsafe();
                let claims = self.surroundings().claims(&operand, unsafety);
                claims.into_iter().for_each(|claim| self.claim(claim));
                if self.errors.len() == before {
                    self.prove_arguments(&mut operand);
                }
                (self.as_unsafe(operand), name)
            }
            // Still a suspend point, for what else is to be said about it.
            None => (Operand::Closure(parse_quote!({})), String::new()),
        };
        Kind::Await(Box::new(Await {
            span: node.await_token.span,
            operand,
            name,
            label,
        }))
    }

    /// What is given lives to the end of the statement, and so through the await.
    fn prove_arguments(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Stored { value, .. }
            | Operand::Call { value, .. }
            | Operand::Composed { value, .. } => self.prove_operand(value),
            Operand::Closure(_) | Operand::Borrowed(_) => {}
        }
    }

    /// What is evaluated at each poll is so within the `unsafe` block that it stands in.
    fn as_unsafe(&self, operand: Operand) -> Operand {
        let Some(token) = self.unsafety else {
            return operand;
        };
        let within = |expr: Expr| -> Expr { parse_quote!(#token { #expr }) };
        match operand {
            Operand::Stored { .. } => operand,
            Operand::Call {
                ty,
                value,
                lends,
                boxed,
            } => Operand::Call {
                ty,
                value,
                lends: lends.into_iter().map(|lend| lend.map(within)).collect(),
                boxed,
            },
            Operand::Composed {
                ty,
                value,
                mut parts,
            } => {
                let mut lend = |expr: &mut Expr| *expr = within(expr.clone());
                parts
                    .iter_mut()
                    .for_each(|part| part.each_lend_mut(&mut lend));
                Operand::Composed { ty, value, parts }
            }
            Operand::Closure(poll) => Operand::Closure(within(poll)),
            Operand::Borrowed(borrow) => Operand::Borrowed(within(borrow)),
        }
    }

    /// Whether the receiver is a name that means the same place after the arguments.
    fn stays_receiver(&self, call: &ExprMethodCall) -> bool {
        let Some(name) = plain_name(&call.receiver) else {
            return false;
        };
        match self.local(name) {
            Some(local) => !local.mutable,
            None => self.is_lent(name),
        }
    }

    /// `f(a.await).await`: what the call is given is evaluated before it, and moved into it.
    fn await_in_turn(&mut self, node: &ExprAwait) -> Kind {
        let mut outer = node.clone();
        let base = peel_mut(&mut outer.base);
        let stays = match base {
            Expr::Call(_) => 0,
            Expr::MethodCall(call) if self.stays_receiver(call) => 1,
            _ => 2,
        };
        if stays > 1 {
            self.errors.refuse_await(Rule::NoAwaitTypes, &node.base);
            let mut base = (*node.base).clone();
            slots(&mut base)
                .into_iter()
                .for_each(|slot| self.discard(slot.part));
            return Kind::Plain(parse_quote!({}));
        }
        let mut parts: Vec<_> = slots(base).into_iter().skip(stays).collect();
        let awaits = |slot: &Slot<'_>| holds_await(&*slot.part);
        let Some(last) = parts.iter().rposition(awaits) else {
            return self.refused(Rule::UnknownExpression, &node.base);
        };
        let depth = self.scope.len();
        let mut spills = self.spill(&mut parts[..=last]);
        let Slot { part, role } = &mut parts[last];
        if *role != Role::Value || matches!(part, Expr::Reference(_)) {
            self.errors.refuse(Rule::BorrowedTemporary, &**part);
            self.discard(part);
        } else {
            let ty = self.seen_type(part);
            self.prove_lasting(part, Rule::LastingTemporary);
            spills.push(self.spilled(part, ty));
        }
        let kind = self.behind(spills, |this| this.await_point(&outer));
        self.scope.truncate(depth);
        kind
    }
}

/// The function that is called by its name alone.
fn called_alone(call: &Expr) -> Option<Ident> {
    match call {
        Expr::Call(call) => plain_name(&call.func).cloned(),
        Expr::Paren(paren) => called_alone(&paren.expr),
        _ => None,
    }
}

fn peel_mut(expr: &mut Expr) -> &mut Expr {
    match expr {
        Expr::Paren(paren) => peel_mut(&mut paren.expr),
        Expr::Group(group) => peel_mut(&mut group.expr),
        other => other,
    }
}
