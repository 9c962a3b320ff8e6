//! Names of locals and functions at places where the compiler rejects them.
//!
//! ```text
//! [0; length]                  a local as the length of an array
//! Ok(page) | Err(error) => ..  a name that not all alternatives of a pattern bind
//! load(page, 3)                a call with another number of arguments than the function declares
//! ```

use std::collections::BTreeSet;

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprRepeat, Item, ItemFn, Pat, PatIdent, PatOr, TypeArray};

use crate::syntax::source::has_other_parameters;

/// Returns `true` if the function contains such a name.
pub(crate) fn has_wrong_name(item: &ItemFn) -> bool {
    let mut names = BodyNames::default();
    for input in &item.sig.inputs {
        names.visit_fn_arg(input);
    }
    names.visit_block(&item.block);
    names.has_unequal_patterns
        || names.lengths.iter().any(|name| names.bound.contains(*name))
        || names.has_wrong_call()
}

#[derive(Default)]
struct BodyNames<'a> {
    /// The names that patterns bind, and those of items in the body.
    bound: BTreeSet<&'a Ident>,
    /// The names that are lengths of arrays.
    lengths: Vec<&'a Ident>,
    /// The called functions, with the numbers of their arguments.
    calls: Vec<(&'a Ident, usize)>,
    has_unequal_patterns: bool,
    has_items: bool,
}

impl<'a> BodyNames<'a> {
    fn add_length(&mut self, length: &'a Expr) {
        self.lengths.extend(name_of(length));
    }

    /// Returns `true` if a function of the module has another number of parameters. A local or an
    /// item of the body may hide the function.
    fn has_wrong_call(&self) -> bool {
        let mut calls = self.calls.iter();
        !self.has_items
            && calls.any(|(name, count)| {
                !self.bound.contains(*name) && has_other_parameters(name, *count)
            })
    }
}

impl<'a> Visit<'a> for BodyNames<'a> {
    fn visit_pat_ident(&mut self, node: &'a PatIdent) {
        self.bound.insert(&node.ident);
        visit::visit_pat_ident(self, node);
    }

    fn visit_pat_or(&mut self, node: &'a PatOr) {
        let mut names = node.cases.iter().map(bound_by);
        let first = names.next();
        self.has_unequal_patterns |= names.any(|others| Some(others) != first);
        visit::visit_pat_or(self, node);
    }

    fn visit_expr_repeat(&mut self, node: &'a ExprRepeat) {
        self.add_length(&node.len);
        visit::visit_expr_repeat(self, node);
    }

    fn visit_type_array(&mut self, node: &'a TypeArray) {
        self.add_length(&node.len);
        visit::visit_type_array(self, node);
    }

    fn visit_expr_call(&mut self, node: &'a ExprCall) {
        let called = name_of(&node.func).map(|name| (name, node.args.len()));
        self.calls.extend(called);
        visit::visit_expr_call(self, node);
    }

    fn visit_item(&mut self, _: &'a Item) {
        self.has_items = true;
    }
}

/// Returns the name if the expression is nothing else.
fn name_of(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// Returns the names that a pattern binds. A name in capitals is that of a constant or a variant.
fn bound_by(pat: &Pat) -> BTreeSet<&Ident> {
    #[derive(Default)]
    struct Bound<'a>(BTreeSet<&'a Ident>);
    impl<'a> Visit<'a> for Bound<'a> {
        fn visit_pat_ident(&mut self, node: &'a PatIdent) {
            let is_binding = node.by_ref.is_some() || node.subpat.is_some();
            let is_small = node.ident.to_string().starts_with(char::is_lowercase);
            if is_binding || is_small {
                self.0.insert(&node.ident);
            }
            visit::visit_pat_ident(self, node);
        }
    }
    let mut bound = Bound::default();
    bound.visit_pat(pat);
    bound.0
}
