//! Values of blocks and loops.

use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

use super::lowering::Lower;
use crate::fallback::FallbackReason;
use crate::hir::body::{ScopeId, Stmt, Value};
use crate::hir::facts::diverges;

impl Lower<'_> {
    /// Returns `true` if no code gives the loop or block a value.
    pub(in crate::hir) fn has_no_value(&self, value: &Value) -> bool {
        match value {
            Value::Loop { id, .. } => !self.targets_with_value[id.0],
            Value::Block { id, body } => {
                !self.targets_with_value[id.0] && self.body.scopes[body.0].value.is_none()
            }
            _ => false,
        }
    }

    /// Returns `true` if a statement may have a value that is dropped at its end. A statement
    /// without a semicolon has none, except the value of a loop or block: such as a call that
    /// returns `()`.
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

    /// Notes a value that diverges.
    pub(in crate::hir) fn check_diverging(&mut self, value: &Value) {
        if self.value_diverges(value) {
            self.fallbacks
                .note_at(FallbackReason::DivergingBlock, self.span_of(value));
        }
    }

    /// Notes a value that diverges, or whose type only the context determines: `{ tick().await;
    /// Err(error)? }` at the end of a branch.
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

    /// The span of the last expression in a construct.
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

    /// Returns `true` if each branch of the value leaves it before it has a value.
    pub(in crate::hir) fn value_diverges(&self, value: &Value) -> bool {
        match value {
            Value::Loop { id, .. } => !self.body.has_break(*id),
            // The last statement of the block may leave the block itself, with its value.
            Value::Block { id, body } => {
                !self.targets_with_value[id.0] && self.leaves_itself(*body)
            }
            Value::Branches { arms, .. } => {
                let mut bodies = arms.iter().map(|arm| arm.body);
                bodies.all(|body| body.is_some_and(|body| self.leaves_itself(body)))
            }
            _ => false,
        }
    }

    /// Returns `true` if the last statement of a block leaves it.
    fn leaves_itself(&self, scope: ScopeId) -> bool {
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
