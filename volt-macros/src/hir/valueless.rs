//! Blocks and loops that are left before they have a value.

use syn::Expr;

use super::body::{ScopeId, Stmt, Value};
use super::lower::Lower;
use super::print::jump_of;

impl Lower<'_> {
    /// Whether a loop or block is never given a value.
    pub(super) fn never_gives(&self, value: &Value) -> bool {
        match value {
            Value::Loop { id, .. } => !self.valued[id.0],
            Value::Block { id, body } => {
                !self.valued[id.0] && self.body.scopes[body.0].value.is_none()
            }
            _ => false,
        }
    }

    /// Whether the value has no end: each of its branches is left before.
    pub(super) fn gives_nothing(&self, value: &Value) -> bool {
        match value {
            Value::Block { body, .. } => self.is_left(*body),
            Value::If {
                then, otherwise, ..
            } => self.is_left(*then) && otherwise.is_some_and(|it| self.is_left(it)),
            Value::Match { arms, .. } => arms.iter().all(|arm| self.is_left(arm.body)),
            _ => false,
        }
    }

    /// Whether a block is left by its last statement.
    fn is_left(&self, scope: ScopeId) -> bool {
        let scope = &self.body.scopes[scope.0];
        match (&scope.value, scope.stmts.last()) {
            (Some(value), _) | (None, Some(Stmt::Eval(value))) => match value {
                Value::Whole(id) => {
                    let expr = &self.body.exprs[id.0];
                    matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
                        || matches!(expr, Expr::Macro(it) if jump_of(&it.mac).is_some())
                }
                value => self.gives_nothing(value),
            },
            _ => false,
        }
    }
}
