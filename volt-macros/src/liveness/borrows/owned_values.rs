//! Values that own their content, as far as their syntax shows it.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::Expr;

use crate::hir::{is_plain_value, is_value};
use crate::names::{any_token, clones, returns_owned};

/// The receiver of `clone`. The clone borrows what the receiver borrows, if the compiler confirms
/// it.
pub(in crate::liveness) fn cloned(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::MethodCall(node) if clones(&node.method) && !is_value(&node.receiver) => {
            Some(&node.receiver)
        }
        _ => None,
    }
}

/// Returns `true` if the value owns its content. A string literal is a reference. The compiler has
/// to confirm a method, which is known only by its name.
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
