//! Methods that are called on the future of the function itself: `walk(next).in_box().await`.
//!
//! The explicit layout may have to store the receiver of a method in the awaited expression, so the
//! size of the machine would depend on the size of the machine: E0391. The compiler's coroutine
//! stores only the future that the method returns.

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprAwait, ExprClosure, Item, ItemFn};

use super::boxed_recursion::leads_back;
use crate::names::last_of;
use crate::signature::Method;

/// Returns a call that may create the function's own machine, and on which a method is called in an
/// awaited expression.
pub(crate) fn own_receiver<'a>(item: &'a ItemFn, method: Option<&Method>) -> Option<&'a Expr> {
    let mut calls = ReceiverCalls(Vec::new());
    calls.visit_block(&item.block);
    let (name, calls) = (&item.sig.ident, calls.0);
    let own = calls
        .iter()
        .find(|call| called_name(call).is_some_and(|called| called == name));
    // The text of most functions need not be searched.
    let any = || calls.first().filter(|_| leads_back(item, method));
    own.or_else(any).copied()
}

/// The name of the called function or method.
fn called_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::MethodCall(call) => Some(&call.method),
        Expr::Call(call) => match &*call.func {
            Expr::Path(func) => last_of(&func.path),
            _ => None,
        },
        _ => None,
    }
}

/// The expression within parentheses.
fn inner(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => inner(&paren.expr),
        Expr::Group(group) => inner(&group.expr),
        _ => expr,
    }
}

/// The calls on which a method is called in an awaited expression.
struct ReceiverCalls<'a>(Vec<&'a Expr>);

impl<'a> Visit<'a> for ReceiverCalls<'a> {
    fn visit_expr_await(&mut self, node: &'a ExprAwait) {
        let mut expr = inner(&node.base);
        while let Expr::MethodCall(call) = expr {
            expr = inner(&call.receiver);
            if called_name(expr).is_some() {
                self.0.push(expr);
            }
        }
        visit::visit_expr_await(self, node);
    }

    fn visit_expr_async(&mut self, _: &'a ExprAsync) {}

    fn visit_expr_closure(&mut self, _: &'a ExprClosure) {}

    fn visit_item(&mut self, _: &'a Item) {}
}
