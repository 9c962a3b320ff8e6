//! Places that are parts of others.

use syn::{Expr, UnOp};

/// The whole of which a place is a part, if it is one and no index is on the way: `x` of `x.page.id` and of `*x`.
pub(crate) fn part_of(place: &Expr) -> Option<&Expr> {
    let whole = match place {
        Expr::Field(node) => &node.base,
        Expr::Paren(node) => return part_of(&node.expr),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => &node.expr,
        _ => return None,
    };
    match unparenthesized(whole) {
        whole @ Expr::Path(_) => Some(whole),
        whole => part_of(whole),
    }
}

fn unparenthesized(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(node) => unparenthesized(&node.expr),
        expr => expr,
    }
}

/// The whole of which such a place is a part, to be changed.
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
