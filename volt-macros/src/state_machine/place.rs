//! Expressions that name a place, and the temporaries of those that do not.

use proc_macro2::Ident;
use syn::{BinOp, Expr, Macro, RangeLimits, UnOp};

use super::scope::{formats, macro_arguments};
use super::taking::{Question, question};

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

/// Whether an expression may leave a temporary alive until the end of the `if let` over it, as far
/// as names tell.
pub(crate) fn may_hold_temporary(expr: &Expr) -> bool {
    let value = may_hold_temporary;
    match expr {
        Expr::Paren(node) => value(&node.expr),
        Expr::Group(node) => value(&node.expr),
        Expr::Try(node) => value(&node.expr),
        Expr::Cast(node) => value(&node.expr),
        Expr::Repeat(node) => value(&node.expr),
        Expr::Reference(node) => is_made(&node.expr),
        Expr::Field(node) => is_made(&node.base),
        Expr::Index(node) => is_made(&node.expr) || value(&node.index),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => is_made(&node.expr),
        Expr::Unary(node) => value(&node.expr),
        Expr::Call(node) => is_made(&node.func) || node.args.iter().any(value),
        Expr::Tuple(node) => node.elems.iter().any(value),
        Expr::Array(node) => node.elems.iter().any(value),
        Expr::Struct(node) => {
            let mut fields = node.fields.iter();
            fields.any(|field| value(&field.expr)) || node.rest.as_deref().is_some_and(is_made)
        }
        Expr::Range(node) => {
            let mut ends = node.start.iter().chain(&node.end);
            ends.any(|end| value(end))
        }
        Expr::Binary(node) if is_comparison(&node.op) => {
            is_made(&node.left) || is_made(&node.right)
        }
        Expr::Binary(node) => value(&node.left) || value(&node.right),
        Expr::MethodCall(node) => {
            let receiver = &node.receiver;
            let borrowed = !is_place(receiver) && question(&node.method) == Question::Ask("left");
            borrowed || value(receiver) || node.args.iter().any(value)
        }
        Expr::Match(node) => is_made(&node.expr),
        Expr::Macro(node) => macro_may_hold_temporary(&node.mac),
        _ => false,
    }
}

/// Whether what is looked at is made on the way.
fn is_made(looked_at: &Expr) -> bool {
    !is_place(looked_at) || may_hold_temporary(looked_at)
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// What `vec!` is given is moved into it; what formats keeps nothing.
fn macro_may_hold_temporary(mac: &Macro) -> bool {
    match macro_arguments(mac) {
        Some(arguments) if mac.path.is_ident("vec") => arguments.iter().any(may_hold_temporary),
        _ => !formats(mac),
    }
}
