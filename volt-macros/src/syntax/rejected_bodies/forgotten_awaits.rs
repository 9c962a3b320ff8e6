//! Futures that are used as values: the `.await` is missing.
//!
//! ```text
//! load(1)?                                a function that the module declares as `async fn`
//! match load(1) { Ok(page) => .. }        a pattern that is no name
//! ```
//!
//! The compiler suggests the `.await` only in an `async fn`, so the copies of the body would report
//! the error in other words.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, ExprLet, ExprMatch, ExprTry, Item, ItemFn, Local, Pat, PatIdent};

use crate::syntax::source::is_declared_as;

/// Returns `true` if the function uses such a future as a value.
pub(crate) fn has_forgotten_await(item: &ItemFn) -> bool {
    let mut uses = FutureUses::default();
    for input in &item.sig.inputs {
        uses.visit_fn_arg(input);
    }
    uses.visit_block(&item.block);
    let is_async = |name: &&Ident| !uses.bound.contains(*name) && is_declared_as(name, "async");
    !uses.has_items && uses.called.iter().any(is_async)
}

#[derive(Default)]
struct FutureUses<'a> {
    /// The functions whose values are no futures for certain.
    called: Vec<&'a Ident>,
    bound: BTreeSet<&'a Ident>,
    has_items: bool,
}

impl<'a> FutureUses<'a> {
    fn matches(&mut self, value: &'a Expr, pat: &'a Pat) {
        if is_of_value(pat) {
            self.called.extend(called(value));
        }
    }
}

impl<'a> Visit<'a> for FutureUses<'a> {
    fn visit_expr_try(&mut self, node: &'a ExprTry) {
        self.called.extend(called(&node.expr));
        visit::visit_expr_try(self, node);
    }

    fn visit_expr_match(&mut self, node: &'a ExprMatch) {
        for arm in &node.arms {
            self.matches(&node.expr, &arm.pat);
        }
        visit::visit_expr_match(self, node);
    }

    fn visit_expr_let(&mut self, node: &'a ExprLet) {
        self.matches(&node.expr, &node.pat);
        visit::visit_expr_let(self, node);
    }

    fn visit_local(&mut self, node: &'a Local) {
        if let Some(init) = &node.init {
            self.matches(&init.expr, &node.pat);
        }
        visit::visit_local(self, node);
    }

    fn visit_pat_ident(&mut self, node: &'a PatIdent) {
        self.bound.insert(&node.ident);
        visit::visit_pat_ident(self, node);
    }

    fn visit_item(&mut self, _: &'a Item) {
        self.has_items = true;
    }
}

/// The name of the function that an expression calls.
fn called(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Paren(node) => called(&node.expr),
        Expr::Call(node) => match &*node.func {
            Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
            _ => None,
        },
        _ => None,
    }
}

/// Returns `true` for a pattern that no opaque type has.
pub(crate) fn is_of_value(pat: &Pat) -> bool {
    match pat {
        Pat::Lit(_) | Pat::Range(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::Tuple(_) => true,
        Pat::TupleStruct(_) => true,
        Pat::Or(node) => node.cases.iter().any(is_of_value),
        Pat::Paren(node) => is_of_value(&node.pat),
        _ => false,
    }
}
