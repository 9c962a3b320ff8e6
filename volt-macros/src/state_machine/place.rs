//! Expressions that name a place, and the temporaries of those that do not.

use proc_macro2::Ident;
use syn::{Expr, Macro, RangeLimits, UnOp};

use super::scope::{formats, macro_arguments};

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

/// Whether an expression may leave a temporary alive until the end of the `match` or `if let`
/// over it.
pub(crate) fn may_hold_temporary(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(reference) => !is_place(&reference.expr),
        Expr::Paren(paren) => may_hold_temporary(&paren.expr),
        Expr::Group(group) => may_hold_temporary(&group.expr),
        Expr::Try(node) => may_hold_temporary(&node.expr),
        Expr::Field(field) => !is_place(&field.base),
        Expr::Index(node) => !is_place(&node.expr) || may_hold_temporary(&node.index),
        Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => !is_place(&node.expr),
        Expr::Unary(node) => may_hold_temporary(&node.expr),
        Expr::Cast(node) => may_hold_temporary(&node.expr),
        Expr::Call(call) => call.args.iter().any(may_hold_temporary),
        Expr::Tuple(tuple) => tuple.elems.iter().any(may_hold_temporary),
        Expr::Binary(node) => may_hold_temporary(&node.left) || may_hold_temporary(&node.right),
        Expr::MethodCall(method) => {
            let receiver = &method.receiver;
            let borrowed = !is_place(receiver) && !consumes(&method.method);
            borrowed || may_hold_temporary(receiver) || method.args.iter().any(may_hold_temporary)
        }
        Expr::Macro(mac) => macro_may_hold_temporary(&mac.mac),
        _ => false,
    }
}

/// What `vec!` is given is moved into it; what formats keeps nothing.
fn macro_may_hold_temporary(mac: &Macro) -> bool {
    match macro_arguments(mac) {
        Some(arguments) if mac.path.is_ident("vec") => arguments.iter().any(may_hold_temporary),
        _ => !formats(mac) && !mac.path.is_ident("matches"),
    }
}

/// Methods of the standard library that take their receiver by value.
fn consumes(method: &Ident) -> bool {
    const NAMES: &[&str] = &[
        "then",
        "then_some",
        "unwrap",
        "expect",
        "unwrap_or",
        "unwrap_or_else",
        "unwrap_or_default",
        "map",
        "map_err",
        "ok",
        "err",
        "ok_or",
        "ok_or_else",
        "and_then",
        "or_else",
        "into_iter",
        "into",
        "flatten",
        "copied",
        "cloned",
        "filter",
        "rev",
        "enumerate",
        "take",
        "zip",
        "chain",
        "try_into",
        "min",
        "max",
        "wrapping_add",
        "saturating_sub",
        "checked_add",
        "checked_sub",
    ];
    NAMES.iter().any(|name| method == name)
}
