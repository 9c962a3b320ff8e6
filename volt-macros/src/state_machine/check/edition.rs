//! What depends on the edition of the user's crate.
//!
//! Before edition 2024 the temporaries of an `if let` live through its `else`. A macro cannot ask
//! for the edition, but its tokens can: since 2024 the fragment `expr` takes a `_`.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, ExprIf, Item, Stmt};

use crate::state_machine::body::holds_await;
use crate::state_machine::errors::Rule;
use crate::state_machine::place::may_hold_temporary;

/// The `if`, refused by the compiler if a temporary of its condition lives through an await in
/// the `else`.
pub(super) fn probed(node: &ExprIf) -> ExprIf {
    let mut node = node.clone();
    let otherwise = node.else_branch.as_ref();
    if otherwise.is_some_and(|(_, otherwise)| holds_await(&**otherwise)) {
        let probes = temporaries(&node.cond).into_iter();
        let probes = probes.map(|it| probe(it, Rule::ScrutineeTemporary));
        let probes: Vec<Stmt> = probes.collect();
        node.then_branch.stmts.splice(..0, probes);
    }
    node
}

/// What is matched in a condition, where a temporary of it may live on.
pub(super) fn temporaries(cond: &Expr) -> Vec<&Expr> {
    match cond {
        Expr::Let(node) if may_hold_temporary(&node.expr) => vec![&node.expr],
        Expr::Binary(node) => {
            let mut found = temporaries(&node.left);
            found.extend(temporaries(&node.right));
            found
        }
        _ => Vec::new(),
    }
}

/// An item that is an error before edition 2024.
pub(super) fn probe(expr: &Expr, rule: Rule) -> Stmt {
    let (span, said) = (expr.span(), rule.said(expr));
    let edition = Ident::new("edition", Span::mixed_site().located_at(span));
    let item: Item = syn::parse_quote_spanned! {span=>
        const _: () = {
            macro_rules! #edition {
                ($since_2024:expr) => {};
                (_) => {
                    ::core::compile_error!(#said);
                };
            }
            #edition!(_);
        };
    };
    Stmt::Item(item)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn temporary_before_an_else_that_awaits_is_probed() {
        let node = |source: &str| probed(&syn::parse_str(source).expect("an `if`"));
        let probes = |source: &str| node(source).then_branch.stmts.len();
        assert_eq!(
            probes("if let Some(_) = lock().pop() {} else { f().await }"),
            1
        );
        assert_eq!(
            probes("if let Some(_) = list.pop() {} else { f().await }"),
            0
        );
        assert_eq!(probes("if let Some(_) = lock().pop() {} else { f() }"), 0);
        assert_eq!(
            probes("if a && let Some(_) = lock().pop() {} else { f().await }"),
            1
        );
        let plain: ExprIf = parse_quote!(if lock().is_free() {
        } else {
            f().await
        });
        assert_eq!(probed(&plain), plain);
    }
}
