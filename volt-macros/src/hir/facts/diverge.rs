//! Expressions that visibly diverge.

use syn::{Block, Expr, Stmt};

use crate::names::panics;

/// Returns `true` if the syntax of an expression shows that no code runs after it.
pub(crate) fn diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Paren(node) => diverges(&node.expr),
        Expr::Cast(node) => diverges(&node.expr),
        Expr::Block(node) => node.label.is_none() && block_diverges(&node.block),
        Expr::Macro(node) => panics(&node.mac),
        _ => false,
    }
}

fn block_diverges(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Expr(expr, _) => diverges(expr),
        Stmt::Local(local) => local.init.as_ref().is_some_and(|init| diverges(&init.expr)),
        Stmt::Item(_) | Stmt::Macro(_) => false,
    })
}
