//! Awaits within expressions: each gets a statement of its own, before that of the expression.

use syn::{Expr, Macro, parse_quote};

use super::awaits::has_await;
use super::body::{Stmt, Value};
use super::lower::Lower;
use super::operands::{Use, assigns, is_lazy, operands_mut};
use super::temporaries::has_temporary;
use super::written::is_reference;
use crate::doubt::Reason;
use crate::names::{Known, is_none};
use crate::resolve::{LocalData, LocalKind};
use crate::syntax::Arguments;

impl Lower<'_> {
    /// Brings the awaits of an expression before it. What is left waits nowhere.
    pub(super) fn hoist(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        if !has_await(expr) {
            return;
        }
        match expr {
            Expr::Paren(node) => self.hoist(&mut node.expr, out),
            Expr::Macro(node) => {
                if ends_temporaries(&node.mac) {
                    self.doubts.note(Reason::OperandTemporary, &node.mac);
                }
                self.hoist_arguments(&mut node.mac, out);
            }
            expr if is_apart(expr) => {
                self.check_ending(expr);
                self.check_coercion(expr);
                let taken = std::mem::replace(expr, parse_quote!(()));
                let value = self.value(taken, out);
                if let Value::Whole(id) = self.through_temp(value, None, out) {
                    *expr = self.body.exprs[id.0].clone();
                }
            }
            expr => self.hoist_operands(expr, out),
        }
    }

    /// Brings the awaits of the operands before the expression.
    pub(super) fn hoist_operands(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        match expr {
            Expr::Macro(node) => return self.hoist_arguments(&mut node.mac, out),
            Expr::Assign(node) if has_await(&node.left) => {
                self.doubts.note(Reason::AwaitInPlace, &*node.left);
            }
            Expr::MethodCall(node) if self.is_constant(&node.receiver) => {
                self.doubts.note(Reason::AwaitAfterOperand, &*node.receiver);
            }
            Expr::Binary(node) if assigns(&node.op) && has_await(&node.left) => {
                self.doubts.note(Reason::AwaitInPlace, &*node.left);
            }
            _ => {}
        }
        match operands_mut(expr, Use::Value) {
            Some(operands) => self.hoist_each(operands, out),
            None => self.doubts.note(Reason::UnknownExpression, &*expr),
        }
    }

    pub(super) fn hoist_each(&mut self, operands: Vec<(&mut Expr, Use)>, out: &mut Vec<Stmt>) {
        let Some(last) = operands.iter().rposition(|(operand, _)| has_await(operand)) else {
            return;
        };
        for (index, (operand, used)) in operands.into_iter().enumerate().take(last + 1) {
            if has_await(operand) {
                self.hoist(operand, out);
            }
            if index < last && !self.may_wait(operand, used) {
                self.doubts.note(Reason::AwaitAfterOperand, &*operand);
            }
        }
    }

    /// Whether it makes no difference that the operand is evaluated behind awaits.
    fn may_wait(&self, operand: &Expr, used: Use) -> bool {
        match operand {
            Expr::Lit(_) => true,
            Expr::Paren(node) => self.may_wait(&node.expr, used),
            Expr::Block(node) => self.is_moved_temp(&node.block),
            Expr::Path(_) | Expr::Field(_) => match self.base_of(operand) {
                Some(local) => {
                    let is_whole = matches!(operand, Expr::Path(_));
                    let refers = local.ty.as_ref().is_some_and(is_reference);
                    matches!(used, Use::Shared | Use::Mutable) && (is_whole || refers)
                }
                None => is_item(operand, used),
            },
            _ => false,
        }
    }

    /// The local whose place, or a field of whose place, the expression is.
    pub(super) fn base_of(&self, expr: &Expr) -> Option<&LocalData> {
        match expr {
            Expr::Path(_) => {
                let local = self.body.local_of(expr)?;
                Some(&self.body.locals[local.0])
            }
            Expr::Field(node) => self.base_of(&node.base),
            Expr::Paren(node) => self.base_of(&node.expr),
            _ => None,
        }
    }

    /// Whether the expression is a name that is no local's.
    fn is_constant(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(_)) && self.base_of(expr).is_none()
    }

    /// Whether the block only moves a temporary of ours.
    fn is_moved_temp(&self, block: &syn::Block) -> bool {
        match &block.stmts[..] {
            [syn::Stmt::Expr(expr @ Expr::Path(_), None)] => self
                .base_of(expr)
                .is_some_and(|local| matches!(local.kind, LocalKind::Temp | LocalKind::Output(_))),
            _ => false,
        }
    }
}

/// Whether the expression names a function that is called, or `None`. Any other constant may have a destructor.
fn is_item(expr: &Expr, used: Use) -> bool {
    let Expr::Path(path) = expr else { return false };
    used == Use::Receiver || path.path.get_ident().is_some_and(is_none)
}

/// Whether values without a name of awaits within the macro end with the macro, and not with the statement around it:
/// `send(format!("{}", page().read().await))`.
fn ends_temporaries(mac: &Macro) -> bool {
    let Some(arguments) = Arguments::of(mac) else {
        return false;
    };
    let ends = |value: &Expr| has_await(value) && has_temporary(value);
    arguments.known == Known::Formats(0) && arguments.values().any(ends)
}

/// Whether the expression is one that is taken apart where it waits, and not by its operands.
fn is_apart(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(node) => is_lazy(&node.op),
        Expr::Await(_)
        | Expr::Block(_)
        | Expr::ForLoop(_)
        | Expr::If(_)
        | Expr::Loop(_)
        | Expr::Match(_)
        | Expr::While(_) => true,
        _ => false,
    }
}
