//! Place expressions.

use syn::{Expr, UnOp};

/// Returns the expression of which a place is a part, unless an index is on the way: `x` for
/// `x.page.id` and for `*x`.
pub(crate) fn part_of(place: &Expr) -> Option<&Expr> {
    let base = match place {
        Expr::Field(node) => &node.base,
        Expr::Paren(node) => return part_of(&node.expr),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => &node.expr,
        _ => return None,
    };
    match unparenthesized(base) {
        base @ Expr::Path(_) => Some(base),
        base => part_of(base),
    }
}

fn unparenthesized(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(node) => unparenthesized(&node.expr),
        expr => expr,
    }
}

/// Returns that expression as a mutable reference.
pub(in crate::hir) fn part_of_mut(place: &mut Expr) -> Option<&mut Expr> {
    match place {
        Expr::Field(node) => part_of_mut(&mut node.base),
        Expr::Paren(node) => part_of_mut(&mut node.expr),
        Expr::Unary(node) => part_of_mut(&mut node.expr),
        Expr::Path(_) => Some(place),
        _ => None,
    }
}

/// Returns `true` if the expression is a value expression, not a place expression.
pub(crate) fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => false,
        Expr::Unary(node) => !matches!(node.op, UnOp::Deref(_)),
        Expr::Paren(node) => is_value(&node.expr),
        _ => true,
    }
}
