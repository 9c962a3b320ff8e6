//! Tail expressions and operands whose scrutinee is dropped late.
//!
//! Before edition 2024, the rest of a scrutinee in tail position outlives the locals of the block.
//! In an operand it outlives the evaluation of the expression.
//!
//! ```text
//! { let page = ..;  if let Ok(n) = send() { wait(n).await } }      an error is dropped after `page`
//! add(match get().await { Ok(n) => n, Err(_) => 0 }, next())       and here after the call of `add`
//! ```

use syn::Expr;

use super::lowering::Lower;
use crate::fallback::FallbackReason;
use crate::hir::body::{Stmt, Value};
use crate::hir::facts::has_temporary;
use crate::hir::facts::is_value;

impl Lower<'_> {
    /// Returns `true` if the statements declare a local of the user, or if a `let _` may extend a
    /// temporary.
    pub(in crate::hir) fn binds_any(&self, stmts: &[Stmt]) -> bool {
        let exprs = &self.body.exprs;
        stmts.iter().any(|stmt| match stmt {
            Stmt::Let(node) if node.binds.is_empty() => {
                matches!(node.value, Some(Value::Expr(id)) if has_temporary(&exprs[id.0]))
            }
            Stmt::Let(node) => {
                let mut binds = node.binds.iter();
                binds.any(|local| !self.body.locals[local.0].is_temp())
            }
            Stmt::Eval(_) => false,
        })
    }

    /// Notes a construct that is a tail expression in a block with locals, or an operand.
    pub(in crate::hir) fn check_ending(&mut self, construct: &Expr) {
        match construct {
            Expr::Paren(node) => self.check_ending(&node.expr),
            Expr::If(node) if leaves_part(&node.cond) => {
                self.fallbacks.note(FallbackReason::Remainder, &*node.cond);
            }
            Expr::Match(node) if is_value(&node.expr) => {
                self.fallbacks.note(FallbackReason::Remainder, &*node.expr);
            }
            _ => {}
        }
    }
}

/// Returns `true` if the `let` of a condition may leave a part of its value.
fn leaves_part(condition: &Expr) -> bool {
    match condition {
        Expr::Let(node) => is_value(&node.expr),
        Expr::Paren(node) => leaves_part(&node.expr),
        _ => false,
    }
}
