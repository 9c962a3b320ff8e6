//! Values without a name that a `let` keeps alive to the end of its block.
//!
//! ```text
//! let page = &load();         let text = if c { &name() } else { "" };         let ref page = load();
//! let n = look(&load());      let text = name().trim();                        none
//! ```

use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat, PatIdent, Stmt};

use super::awaits::stmt_has_await;
use super::lower::Lower;
use super::temporaries::{has_temporary, is_value, names_constant};
use crate::doubt::Reason;
use crate::resolve::named_in;

impl Lower<'_> {
    /// Doubts about the `let`s of a block that keep alive what has no name, where the block waits behind them.
    pub(super) fn check_extended(&mut self, stmts: &[Stmt]) {
        let last = stmts.iter().rposition(stmt_has_await).unwrap_or_default();
        for (index, stmt) in stmts[..last].iter().enumerate() {
            if let Stmt::Local(local) = stmt
                && let Some(init) = &local.init
                && (is_extended_by(&local.pat, &init.expr)
                    || has_temporary(&init.expr) && self.is_unused(&local.pat, &stmts[index..]))
            {
                self.doubts.note(Reason::TailTemporary, &*init.expr);
            }
        }
    }

    /// Whether nothing behind the first of the statements names what it binds. That may borrow from what ends with
    /// the statement, as long as nobody looks: `let name = page().name();`. What is called `_guard` is kept on purpose.
    fn is_unused(&self, pat: &Pat, stmts: &[Stmt]) -> bool {
        let mut binds = self.binds(pat);
        binds.retain(|local| !self.body.locals[local.0].name.starts_with('_'));
        let behind = stmts[1..].iter();
        let named: Vec<_> = behind
            .flat_map(|it| named_in(it, &self.body.names))
            .collect();
        !binds.is_empty() && binds.iter().all(|local| !named.contains(local))
    }
}

/// Whether a `let` keeps alive what has no name.
fn is_extended_by(pat: &Pat, value: &Expr) -> bool {
    is_value(value) && borrows(pat) || is_extended(value)
}

/// Whether a pattern says `ref`.
fn borrows(pat: &Pat) -> bool {
    struct Found(bool);
    impl<'ast> Visit<'ast> for Found {
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            self.0 |= pat.by_ref.is_some();
            visit::visit_pat_ident(self, pat);
        }

        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut found = Found(false);
    found.visit_pat(pat);
    found.0
}

/// Whether the value is a reference to one without a name, or has one at the end of its branches and blocks, or among
/// its parts.
fn is_extended(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(node) => {
            let base = base_of(&node.expr);
            is_value(base) && has_temporary(expr) || names_constant(base) || is_extended(base)
        }
        Expr::Paren(node) => is_extended(&node.expr),
        Expr::Cast(node) => is_extended(&node.expr),
        Expr::Array(node) => node.elems.iter().any(is_extended),
        Expr::Tuple(node) => node.elems.iter().any(is_extended),
        Expr::Struct(node) => node.fields.iter().any(|field| is_extended(&field.expr)),
        Expr::Call(node) if is_constructor(&node.func) => node.args.iter().any(is_extended),
        Expr::Block(node) => ends_extended(&node.block),
        Expr::Unsafe(node) => ends_extended(&node.block),
        Expr::If(node) => {
            let otherwise = node.else_branch.as_ref();
            ends_extended(&node.then_branch) || otherwise.is_some_and(|(_, it)| is_extended(it))
        }
        Expr::Match(node) => node.arms.iter().any(|arm| is_extended(&arm.body)),
        _ => false,
    }
}

fn ends_extended(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(value, None)) if is_extended(value))
}

/// Whether a call makes a value of a tuple struct or a variant: `Some(&page())`.
fn is_constructor(called: &Expr) -> bool {
    let Expr::Path(path) = called else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// What a place is a part of, or lies behind.
fn base_of(place: &Expr) -> &Expr {
    match place {
        Expr::Field(node) => base_of(&node.base),
        Expr::Index(node) => base_of(&node.expr),
        Expr::Paren(node) => base_of(&node.expr),
        Expr::Unary(node) if matches!(node.op, syn::UnOp::Deref(_)) => base_of(&node.expr),
        place => place,
    }
}
