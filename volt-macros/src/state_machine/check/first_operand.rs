//! The part of an expression that is evaluated first: the only one that may hold an await.

use syn::Expr;

/// The part of an expression that is evaluated first, and whether the expression moves it.
pub(super) fn first_operand(expr: &mut Expr) -> Option<(&mut Expr, bool)> {
    match expr {
        Expr::Try(node) => Some((&mut node.expr, true)),
        Expr::Return(node) => Some((node.expr.as_mut()?, true)),
        Expr::Break(node) => Some((node.expr.as_mut()?, true)),
        Expr::Cast(node) => Some((&mut node.expr, true)),
        Expr::Unary(node) => Some((&mut node.expr, !matches!(node.op, syn::UnOp::Deref(_)))),
        Expr::Let(node) => Some((&mut node.expr, false)),
        Expr::Field(node) => Some((&mut node.base, false)),
        Expr::Index(node) => Some((&mut node.expr, false)),
        Expr::MethodCall(node) => Some((&mut node.receiver, false)),
        Expr::Binary(node) => first_of_binary(node),
        Expr::Assign(node) => Some((&mut node.right, true)),
        Expr::Call(node) if matches!(*node.func, Expr::Path(_)) => {
            let argument = node
                .args
                .iter_mut()
                .find(|argument| !is_literal(argument))?;
            Some((argument, true))
        }
        Expr::Tuple(node) => {
            let element = node.elems.iter_mut().find(|element| !is_literal(element))?;
            Some((element, true))
        }
        Expr::Array(node) => Some((node.elems.first_mut()?, true)),
        Expr::Struct(node) => Some((&mut node.fields.first_mut()?.expr, true)),
        _ => None,
    }
}

fn first_of_binary(node: &mut syn::ExprBinary) -> Option<(&mut Expr, bool)> {
    use syn::BinOp;
    let compares = matches!(
        node.op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    );
    let assigns = matches!(
        node.op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    );
    // The place on the left of `+=` has nothing to evaluate if it is a plain one.
    if (assigns && is_plain_place(&node.left)) || is_literal(&node.left) {
        return Some((&mut node.right, true));
    }
    if is_and(&node.op) && binds(&node.left) && !matches!(*node.left, Expr::Let(_)) {
        let Expr::Binary(left) = &mut *node.left else {
            return None;
        };
        return first_of_binary(left);
    }
    match &mut *node.left {
        Expr::Let(node) => Some((&mut node.expr, false)),
        left => Some((left, !compares)),
    }
}

/// Whether a chain holds a `let`: then only its first operand can be told from the rest.
fn binds(chain: &Expr) -> bool {
    match chain {
        Expr::Let(_) => true,
        Expr::Binary(node) => is_and(&node.op) && (binds(&node.left) || binds(&node.right)),
        _ => false,
    }
}

fn is_and(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::And(_))
}

fn is_plain_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_plain_place(&field.base),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(_))
}
