//! Parts of locals: `x.name`, `*x`, `(*x.inner).name`.

use syn::{Expr, UnOp};

use super::body::Body;
use crate::resolve::LocalId;

/// Whether the expression is a part of a local.
pub(crate) fn is_part(body: &Body, expr: &Expr) -> bool {
    matches!(expr, Expr::Field(_) | Expr::Unary(_)) && root(body, expr).is_some()
}

/// The local that a place is, or is a part of.
pub(super) fn root(body: &Body, expr: &Expr) -> Option<LocalId> {
    match expr {
        Expr::Path(_) => body.local_of(expr),
        Expr::Field(node) => root(body, &node.base),
        Expr::Paren(node) => root(body, &node.expr),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => root(body, &node.expr),
        _ => None,
    }
}

/// The name of the local in such a place.
pub(super) fn root_mut(expr: &mut Expr) -> &mut Expr {
    match expr {
        Expr::Field(node) => root_mut(&mut node.base),
        Expr::Paren(node) => root_mut(&mut node.expr),
        Expr::Unary(node) => root_mut(&mut node.expr),
        expr => expr,
    }
}
