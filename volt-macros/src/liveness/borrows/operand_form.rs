//! Forms of awaited operands that the machine cannot store.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprClosure, Macro};

use super::captures::ExprForm;
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{Body, LocalId};
use crate::liveness::result::Operand;
use crate::names::{Known, is_event, is_poll_fn, last_of};
use crate::resolve::named_in;
use crate::syntax::{Arguments, can_keep_message, needs_value};

/// Notes the fallback reasons of an operand's form.
pub(in crate::liveness) fn check_form(
    body: &Body,
    expr: &Expr,
    operand: &Operand,
    fallbacks: &mut Fallbacks,
) {
    if let Some(closure) = poll_fn(expr) {
        let named = named_in(closure, &body.names).into_iter().collect();
        if !hidden(body, &named, &closure.body).is_empty() {
            fallbacks.note(FallbackReason::StoredClosure, expr);
        }
        return;
    }
    let form = ExprForm::of(body, expr);
    if form.has_unknown_size {
        fallbacks.note(FallbackReason::StoredClosure, expr);
    }
    if form.jumps && !operand.borrows.is_empty() {
        fallbacks.note(FallbackReason::OperandLeaves, expr);
    }
}

/// The closure of `poll_fn(|cx| ..)`. It is not stored, because each poll creates it again. So it
/// may borrow every local that it names.
pub(crate) fn poll_fn(operand: &Expr) -> Option<&ExprClosure> {
    if let Expr::Call(call) = operand
        && let Expr::Path(function) = &*call.func
        && last_of(&function.path).is_some_and(is_poll_fn)
        && let (Some(Expr::Closure(closure)), 1) = (call.args.first(), call.args.len())
        && closure.capture.is_none()
    {
        return Some(closure);
    }
    None
}

/// The first of these locals that an operand moves after a call, which may panic.
pub(in crate::liveness) fn moved_after_call(
    body: &Body,
    operand: &Expr,
    taken: &[LocalId],
) -> Option<LocalId> {
    let mut late = MovedAfterCall {
        body,
        taken,
        called: false,
        found: None,
    };
    late.visit_expr(operand);
    late.found
}

struct MovedAfterCall<'l> {
    body: &'l Body,
    taken: &'l [LocalId],
    called: bool,
    found: Option<LocalId>,
}

impl<'ast> Visit<'ast> for MovedAfterCall<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let list = match expr {
            Expr::Macro(node) => {
                Arguments::of(&node.mac).filter(|arguments| arguments.known == Known::List)
            }
            _ => None,
        };
        match expr {
            _ if list.is_some() => {
                let elements = list.iter().flat_map(|list| &list.exprs);
                elements.for_each(|element| self.visit_expr(element));
            }
            Expr::Path(_) | Expr::Closure(_) | Expr::Async(_) | Expr::Macro(_) => {
                let mut named = named_in(expr, &self.body.names).into_iter();
                let found = named.find(|local| self.called && self.taken.contains(local));
                self.found = self.found.or(found);
                self.called |= matches!(expr, Expr::Macro(_));
                return;
            }
            _ => visit::visit_expr(self, expr),
        }
        self.called |= !matches!(
            expr,
            Expr::Lit(_)
                | Expr::Reference(_)
                | Expr::Paren(_)
                | Expr::Field(_)
                | Expr::Tuple(_)
                | Expr::Array(_)
                | Expr::Struct(_)
        );
    }
}

/// The locals among `in_place` that occur in code which the macro does not analyse, each with the
/// reason.
pub(in crate::liveness) fn hidden(
    body: &Body,
    in_place: &BTreeSet<LocalId>,
    expr: &Expr,
) -> Vec<(LocalId, FallbackReason)> {
    let mut named = HiddenUses {
        body,
        in_place,
        found: Vec::new(),
    };
    named.visit_expr(expr);
    named.found
}

struct HiddenUses<'n> {
    body: &'n Body,
    in_place: &'n BTreeSet<LocalId>,
    found: Vec<(LocalId, FallbackReason)>,
}

impl HiddenUses<'_> {
    fn note(&mut self, tokens: &impl quote::ToTokens, reason: FallbackReason) {
        let named = named_in(tokens, &self.body.names).into_iter();
        let named = named.filter(|local| self.in_place.contains(local));
        self.found.extend(named.map(|local| (local, reason)));
    }
}

impl<'ast> Visit<'ast> for HiddenUses<'_> {
    fn visit_expr_closure(&mut self, node: &'ast ExprClosure) {
        match node.capture {
            Some(_) => self.note(node, FallbackReason::CapturedLent),
            None => visit::visit_expr_closure(self, node),
        }
    }

    fn visit_expr_async(&mut self, node: &'ast ExprAsync) {
        self.note(node, FallbackReason::CapturedLent);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        match Arguments::of(mac) {
            Some(known) if known.prints_text() && can_keep_message(mac) => {
                known.values().for_each(|value| self.visit_expr(value));
            }
            Some(known) if !known.prints_text() => {}
            // A reference takes the place of a local.
            None if is_event(mac) => {
                let named = named_in(&mac.tokens, &self.body.names).into_iter();
                let needed = named.filter(|local| {
                    let name = self.body.locals[local.0].ident.to_string();
                    self.in_place.contains(local) && needs_value(&mac.tokens, &name)
                });
                let needed = needed.map(|local| (local, FallbackReason::LentInMacro));
                self.found.extend(needed);
            }
            _ => self.note(&mac.tokens, FallbackReason::LentInMacro),
        }
    }
}
