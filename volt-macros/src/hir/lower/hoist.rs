//! Awaits within expressions, which become statements before the expression.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, ExprBinary, Macro};

use super::lowering::Lower;
use super::statements::Statements;
use crate::fallback::FallbackReason;
use crate::hir::body::Value;
use crate::hir::built_exprs;
use crate::hir::facts::has_await;
use crate::hir::facts::{
    Use, assigns, compares, has_temporary, is_lazy, operands_mut, used_arguments,
};
use crate::names::{Known, is_variant};
use crate::resolve::LocalKind;
use crate::syntax::{Arguments, can_keep_message, is_formatted, keep_message, visible_awaits};

impl Lower<'_> {
    /// Moves the awaits of an expression before it. The rest of the expression contains no await.
    pub(in crate::hir) fn hoist(&mut self, expr: &mut Expr, out: &mut Statements) {
        if !has_await(expr) {
            return;
        }
        match expr {
            Expr::Paren(node) => self.hoist(&mut node.expr, out),
            Expr::Macro(node) => self.hoist_arguments(&mut node.mac, out),
            Expr::Block(node) if is_formatted(&node.block) => {
                let taken = std::mem::replace(expr, built_exprs::unit());
                let value = self.lower_expr(taken, out);
                if let Value::Expr(id) = self.bind_to_temp(value, None, out) {
                    *expr = self.body.exprs[id.0].clone();
                }
            }
            Expr::Await(_) => {
                let taken = std::mem::replace(expr, built_exprs::unit());
                if let Some(Value::Expr(id)) = self.lower_value(taken, out) {
                    *expr = self.body.exprs[id.0].clone();
                }
            }
            expr => self.hoist_operands(expr, out),
        }
    }

    /// Moves the awaits of the operands before the expression.
    pub(in crate::hir) fn hoist_operands(&mut self, expr: &mut Expr, out: &mut Statements) {
        match expr {
            Expr::Macro(node) => return self.hoist_arguments(&mut node.mac, out),
            Expr::Assign(node) if has_await(&node.left) => {
                self.fallbacks
                    .note(FallbackReason::AwaitInPlace, &*node.left);
            }
            Expr::MethodCall(node) if self.is_constant(&node.receiver) => {
                self.fallbacks
                    .note(FallbackReason::AwaitAfterOperand, &*node.receiver);
            }
            Expr::Binary(node) if is_lazy(&node.op) => {
                self.fallbacks
                    .note(FallbackReason::AwaitInCondition, &*node);
            }
            Expr::Binary(node) if assigns(&node.op) && has_await(&node.left) => {
                self.fallbacks
                    .note(FallbackReason::AwaitInPlace, &*node.left);
            }
            Expr::Binary(node) if !assigns(&node.op) && !compares(&node.op) => {
                self.name_left(node, out);
            }
            _ => {}
        }
        match operands_mut(expr, Use::Value) {
            Some(operands) => self.hoist_each(operands, out),
            None => self
                .fallbacks
                .note(FallbackReason::UnknownExpression, &*expr),
        }
    }

    /// Binds the left operand of an operator to a temporary, if it is evaluated before an await of
    /// the right one: `sum + next().await`. An operator takes both by value and coerces none, so
    /// the temporary is what the compiler stores. The operands of a call may be coerced or
    /// reborrowed.
    fn name_left(&mut self, node: &mut ExprBinary, out: &mut Statements) {
        if !has_await(&node.right) {
            return;
        }
        self.hoist(&mut node.left, out);
        if self.may_follow_awaits(&node.left, Use::Value) || has_temporary(&node.left) {
            return;
        }
        let begin = node.left.span();
        let left = std::mem::replace(&mut *node.left, built_exprs::unit());
        let value = Value::Expr(self.leaf(left));
        let temp = self.temp(LocalKind::Temp, None, Span::mixed_site());
        self.bind(temp, value, None, out);
        if let Value::Expr(id) = self.moved_at(temp, begin) {
            *node.left = self.body.exprs[id.0].clone();
        }
    }

    pub(in crate::hir) fn hoist_each(
        &mut self,
        operands: Vec<(&mut Expr, Use)>,
        out: &mut Statements,
    ) {
        let Some(last) = operands.iter().rposition(|(operand, _)| has_await(operand)) else {
            return;
        };
        for (index, (operand, used)) in operands.into_iter().enumerate().take(last + 1) {
            if has_await(operand) {
                self.hoist(operand, out);
            }
            if index < last && !self.may_follow_awaits(operand, used) {
                self.fallbacks
                    .note(FallbackReason::AwaitAfterOperand, &*operand);
            }
        }
    }

    /// Returns `true` if the evaluation of the operand after the awaits has the same effect.
    pub(in crate::hir) fn may_follow_awaits(&self, operand: &Expr, used: Use) -> bool {
        match operand {
            Expr::Lit(_) => true,
            Expr::Paren(node) => self.may_follow_awaits(&node.expr, used),
            Expr::Block(node) => self.is_moved_temp(&node.block),
            Expr::Path(node) => match self.body.local_of(operand) {
                Some(_) => matches!(used, Use::Shared | Use::Mutable),
                // A called function, or `None`. Any other constant may have a destructor.
                None => used == Use::Receiver || node.path.get_ident().is_some_and(is_variant),
            },
            _ => false,
        }
    }

    /// Returns `true` if the expression is a name, but not the name of a local.
    fn is_constant(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(_)) && self.body.local_of(expr).is_none()
    }

    /// Returns `true` if the block only moves a temporary of the macro.
    fn is_moved_temp(&self, block: &syn::Block) -> bool {
        match &block.stmts[..] {
            [syn::Stmt::Expr(expr, None)] => {
                let local = self.body.local_of(expr);
                local.is_some_and(|local| self.body.locals[local.0].is_temp())
            }
            _ => false,
        }
    }
}

impl Lower<'_> {
    pub(in crate::hir) fn hoist_arguments(&mut self, mac: &mut Macro, out: &mut Statements) {
        let Some(mut arguments) = Arguments::of(mac) else {
            return;
        };
        let is_list = arguments.known == Known::List && visible_awaits(mac).is_some();
        if !is_list && !always_evaluates(&arguments) || !can_keep_message(mac) {
            self.fallbacks.note(FallbackReason::AwaitInMacro, mac);
        }
        let before = mac.tokens.clone();
        // The temporaries of the only condition of an assertion are dropped before its message is
        // formatted.
        if arguments.conditions() == Some(1)
            && let Some(condition) = arguments.values_mut().next()
        {
            self.hoist_unnamed(condition, out);
        }
        self.hoist_each(used_arguments(&mut arguments), out);
        mac.tokens = arguments.tokens();
        keep_message(mac, before);
    }
}

/// Returns `true` if only the conditions of an assertion await. An assertion evaluates its message
/// only if it fails. Temporaries in the arguments of macros that format are dropped at the end of
/// the macro.
fn always_evaluates(arguments: &Arguments) -> bool {
    let conditions = arguments.conditions().unwrap_or_default();
    !arguments.values().skip(conditions).any(has_await)
}
