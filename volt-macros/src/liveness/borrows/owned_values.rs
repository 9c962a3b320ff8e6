//! Values that own what they hold, as far as their text says so.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::Expr;

use crate::hir::{is_plain_value, is_value};
use crate::names::{any_token, clones, returns_owned};

/// The place of which the expression is a clone: that borrows what the value there does. The
/// compiler has to confirm it.
pub(in crate::liveness) fn cloned(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::MethodCall(node) if clones(&node.method) && !is_value(&node.receiver) => {
            Some(&node.receiver)
        }
        _ => None,
    }
}

/// Returns `true` if the value owns what it holds, whatever it was made from. A text in quotes is a
/// reference. The compiler has to confirm it of a method, which is known by its name alone.
pub(in crate::liveness) fn is_owned(expr: &Expr, is_confirmed: &dyn Fn(&Expr) -> bool) -> bool {
    let is_text = |token: &TokenTree| matches!(token, TokenTree::Literal(literal) if literal.to_string().ends_with('"'));
    match expr {
        Expr::MethodCall(node) => {
            returns_owned(&node.method) && !clones(&node.method) && is_confirmed(expr)
        }
        Expr::Paren(node) => is_owned(&node.expr, is_confirmed),
        Expr::Binary(_) => is_plain_value(expr),
        expr => {
            is_plain_value(expr) && !any_token(expr.to_token_stream(), &mut |token| is_text(token))
        }
    }
}
