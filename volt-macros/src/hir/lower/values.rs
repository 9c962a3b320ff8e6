//! Blocks and loops that are left before they have a value.

use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

use super::lowering::Lower;
use crate::fallback::FallbackReason;
use crate::hir::body::{ScopeId, Stmt, Value};
use crate::hir::facts::diverges;

impl Lower<'_> {
    /// Whether a loop or block is never given a value.
    pub(in crate::hir) fn has_no_value(&self, value: &Value) -> bool {
        match value {
            Value::Loop { id, .. } => !self.targets_with_value[id.0],
            Value::Block { id, body } => {
                !self.targets_with_value[id.0] && self.body.scopes[body.0].value.is_none()
            }
            _ => false,
        }
    }

    /// Whether a statement may have a value that has to be evaluated, and dropped at its end. One without a semicolon has none
    /// but what a loop or block is left with: a call that gives nothing.
    pub(in crate::hir) fn has_value(&self, value: &Value, may_have_value: bool) -> bool {
        let scope_has_value = |scope: &ScopeId| {
            let value = self.body.scopes[scope.0].value.as_ref();
            may_have_value
                && value.is_some_and(|value| {
                    matches!(value, Value::Expr(_)) || self.has_value(value, true)
                })
        };
        !self.value_diverges(value)
            && match value {
                Value::Expr(_) | Value::Await(_) => false,
                Value::Loop { id, .. } => self.targets_with_value[id.0],
                Value::Block { id, body } => self.targets_with_value[id.0] || scope_has_value(body),
                Value::Branches { arms, .. } => {
                    let mut bodies = arms.iter().filter_map(|arm| arm.body.as_ref());
                    arms.iter().all(|arm| arm.body.is_some()) && bodies.any(scope_has_value)
                }
            }
    }

    /// Doubts a value that has no end.
    pub(in crate::hir) fn check_diverging(&mut self, value: &Value) {
        if self.value_diverges(value) {
            self.fallbacks
                .note_at(FallbackReason::DivergingBlock, self.span_of(value));
        }
    }

    /// The same, and one that has a type only by what is wanted of it: `{ tick().await; Err(error)? }` at the end of a branch.
    pub(in crate::hir) fn check_untyped(&mut self, value: &Value) {
        self.check_diverging(value);
        if let Value::Block { body, .. } = value
            && let Some(Value::Expr(id)) = self.body.scopes[body.0].value
            && matches!(self.body.exprs[id.0], Expr::Try(_))
        {
            self.fallbacks
                .note(FallbackReason::DivergingBlock, &self.body.exprs[id.0]);
        }
    }

    /// The place of the last expression in a construct.
    fn span_of(&self, value: &Value) -> Span {
        let of_scope = |scope: ScopeId| {
            let scope = &self.body.scopes[scope.0];
            let last = scope.stmts.iter().rev().find_map(|stmt| match stmt {
                Stmt::Let(node) => node.value.as_ref(),
                Stmt::Eval(value) => Some(value),
            });
            let last = scope.value.as_ref().or(last);
            last.map_or_else(Span::call_site, |value| self.span_of(value))
        };
        match value {
            Value::Expr(id) => self.body.exprs[id.0].span(),
            Value::Await(id) => self.body.operand(*id).span(),
            Value::Branches { on, .. } => self.body.exprs[on.0].span(),
            Value::Loop { body, .. } | Value::Block { body, .. } => of_scope(*body),
        }
    }

    /// Whether the value has no end: each of its branches is left before.
    pub(in crate::hir) fn value_diverges(&self, value: &Value) -> bool {
        match value {
            Value::Loop { id, .. } => !self.body.is_broken(*id),
            // Its last statement may leave the block itself, with its value.
            Value::Block { id, body } => !self.targets_with_value[id.0] && self.is_left(*body),
            Value::Branches { arms, .. } => {
                let mut bodies = arms.iter().map(|arm| arm.body);
                bodies.all(|body| body.is_some_and(|body| self.is_left(body)))
            }
            _ => false,
        }
    }

    /// Whether a block is left by its last statement.
    fn is_left(&self, scope: ScopeId) -> bool {
        let scope = &self.body.scopes[scope.0];
        match (&scope.value, scope.stmts.last()) {
            (Some(value), _) | (None, Some(Stmt::Eval(value))) => match value {
                Value::Expr(id) => diverges(&self.body.exprs[id.0]),
                value => self.value_diverges(value),
            },
            _ => false,
        }
    }
}
