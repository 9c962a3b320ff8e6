//! Temporary lifetime extension: temporaries that a `let` keeps until the end of its block.
//!
//! ```text
//! let page = &load();         let text = if c { &name() } else { "" };         let ref page = load();
//! let n = look(&load());      let text = name().trim();                        none
//! ```

use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt};

use super::lowering::Lower;
use crate::fallback::FallbackReason;
use crate::hir::facts::is_value;
use crate::hir::facts::stmt_has_await;
use crate::hir::facts::{base_of, has_temporary, names_constant};
use crate::resolve::{named_in, names_of};

impl Lower<'_> {
    /// Notes the `let` statements that extend a temporary across an await of the block.
    pub(in crate::hir) fn check_extended(&mut self, stmts: &[Stmt]) {
        let last = stmts.iter().rposition(stmt_has_await).unwrap_or_default();
        for (index, stmt) in stmts[..last].iter().enumerate() {
            if let Stmt::Local(local) = stmt
                && let Some(init) = &local.init
                && (is_extended_by(&local.pat, &init.expr)
                    || has_temporary(&init.expr) && self.is_unused(&local.pat, &stmts[index..]))
            {
                self.fallbacks
                    .note(FallbackReason::TailTemporary, &*init.expr);
            }
        }
    }

    /// Returns `true` if no statement after the first one names the bound locals. Such a local may
    /// borrow from a temporary that is dropped at the end of the statement: `let name =
    /// page().name();`. A name such as `_guard` is kept on purpose.
    fn is_unused(&self, pat: &Pat, stmts: &[Stmt]) -> bool {
        let mut binds = self.binds(pat);
        binds.retain(|local| !self.body.locals[local.0].name.starts_with('_'));
        let later = stmts[1..].iter();
        let named: Vec<_> = later
            .flat_map(|stmt| named_in(stmt, &self.body.names))
            .collect();
        !binds.is_empty() && binds.iter().all(|local| !named.contains(local))
    }
}

/// Returns `true` if a `let` extends a temporary.
fn is_extended_by(pat: &Pat, value: &Expr) -> bool {
    let borrows = || names_of(pat).iter().any(|name| name.by_ref.is_some());
    is_value(value) && borrows() || refers_to_value(value)
}

/// Returns `true` if the expression contains a reference to a temporary, which the `let` may
/// extend.
pub(super) fn refers_to_value(expr: &Expr) -> bool {
    struct Refers(bool);
    impl<'ast> Visit<'ast> for Refers {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            if let Expr::Reference(node) = expr {
                let base = base_of(&node.expr);
                self.0 |= is_value(base) && has_temporary(expr) || names_constant(base);
            }
            // An awaited operand ends with the statement.
            if !matches!(expr, Expr::Await(_)) {
                visit::visit_expr(self, expr);
            }
        }
    }
    let mut refers = Refers(false);
    refers.visit_expr(expr);
    refers.0
}
