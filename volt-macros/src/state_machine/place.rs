//! Expressions that name a place.

use proc_macro2::Ident;
use syn::{Expr, RangeLimits, UnOp};

/// Methods that only borrow their receiver.
fn borrows(method: &Ident) -> bool {
    const NAMES: &[&str] = &[
        "as_ref",
        "as_mut",
        "as_slice",
        "as_mut_slice",
        "as_str",
        "as_bytes",
        "as_path",
        "as_deref",
        "as_deref_mut",
        "deref",
        "deref_mut",
    ];
    NAMES.iter().any(|name| method == name)
}

/// Whether the expression names a place, and finding it changes nothing.
pub(crate) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr) && is_pure(&index.index),
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Group(group) => is_place(&group.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_place(&unary.expr),
        Expr::MethodCall(method) => borrows(&method.method) && is_place(&method.receiver),
        Expr::Lit(_) => true,
        _ => false,
    }
}

/// Whether evaluating the expression again gives the same and does nothing else.
fn is_pure(expr: &Expr) -> bool {
    let part = |part: &Option<Box<Expr>>| part.as_deref().is_none_or(is_pure);
    match expr {
        Expr::Range(range) => {
            let _: &RangeLimits = &range.limits;
            part(&range.start) && part(&range.end)
        }
        Expr::Binary(binary) => is_pure(&binary.left) && is_pure(&binary.right),
        Expr::Cast(cast) => is_pure(&cast.expr),
        Expr::Reference(reference) => reference.mutability.is_none() && is_pure(&reference.expr),
        Expr::MethodCall(method) => method.method == "len" && is_place(&method.receiver),
        other => is_place(other),
    }
}
