//! Constructs at the end of a block: what they leave of their value outlives the locals before the edition 2024.
//!
//! ```text
//! { let page = ..;  if let Ok(n) = send() { wait(n).await } }      an error is dropped behind `page`
//! ```

use syn::Expr;

use super::body::Value;
use super::lower::Lower;
use super::temporaries::is_value;
use crate::doubt::Reason;

impl Lower<'_> {
    /// Doubts about the construct at the end of a block with locals.
    pub(super) fn check_ending(&mut self, value: &Value) {
        match value {
            Value::If { condition, .. } if leaves(&self.body.exprs[condition.0]) => {
                let condition = &self.body.exprs[condition.0];
                self.doubts.note(Reason::Remainder, condition);
            }
            Value::Match { scrutinee, arms } if arms.iter().any(|arm| arm.guard.is_some()) => {
                let scrutinee = &self.body.exprs[scrutinee.0];
                if is_value(scrutinee) {
                    self.doubts.note(Reason::ScrutineeTemporary, scrutinee);
                }
            }
            _ => {}
        }
    }
}

/// Whether a `let` of the condition may leave something of a value.
fn leaves(condition: &Expr) -> bool {
    match condition {
        Expr::Let(node) => is_value(&node.expr),
        Expr::Binary(node) => leaves(&node.left) || leaves(&node.right),
        Expr::Paren(node) => leaves(&node.expr),
        _ => false,
    }
}
