//! Names of locals and functions at places where the compiler rejects them.
//!
//! ```text
//! [0; length]                  a local as the length of an array
//! Ok(page) | Err(error) => ..  a name that not all alternatives of a pattern bind
//! load(page).await()           an await with parentheses
//! load(page, 3)                a call with another number of arguments than the function declares
//! size + 1                     in a method: a name that the module does not declare, of a field
//! ```

use std::collections::BTreeSet;

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprPath, ExprRepeat, Item, ItemFn, Pat, PatIdent, PatOr, TypeArray};

use crate::syntax::source::{has_other_parameters, is_undeclared_value};

/// Returns `true` if the function contains such a name. Only in a method with a receiver, the
/// compiler suggests a field in place of an unknown name.
pub(crate) fn has_wrong_name(item: &ItemFn, is_method: bool) -> bool {
    let mut names = BodyNames::default();
    for input in &item.sig.inputs {
        names.visit_fn_arg(input);
    }
    names.visit_block(&item.block);
    names.has_unequal_patterns
        || names.has_called_await
        || names.lengths.iter().any(|name| names.bound.contains(*name))
        || names.has_wrong_call()
        || is_method && names.has_unknown_value()
}

#[derive(Default)]
struct BodyNames<'a> {
    /// The names that patterns bind, and those of items in the body.
    bound: BTreeSet<&'a Ident>,
    /// The names that are lengths of arrays.
    lengths: Vec<&'a Ident>,
    /// The called functions, with the types before their names and the numbers of arguments.
    calls: Vec<(Option<&'a Ident>, &'a Ident, usize)>,
    /// The names that are values.
    values: Vec<&'a Ident>,
    has_unequal_patterns: bool,
    has_called_await: bool,
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
            && calls.any(|(owner, name, count)| {
                let is_hidden = owner.is_none() && self.bound.contains(*name);
                !is_hidden && has_other_parameters(*owner, name, *count)
            })
    }

    /// Returns `true` if a value is declared nowhere in the module.
    fn has_unknown_value(&self) -> bool {
        let is_known = |name: &Ident| self.bound.contains(name) || name == "drop";
        let mut values = self.values.iter();
        !self.has_items && values.any(|name| !is_known(name) && is_undeclared_value(name))
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
        self.has_called_await |= node.args.is_empty() && matches!(*node.func, Expr::Await(_));
        if let Some((owner, name)) = function_of(&node.func) {
            self.calls.push((owner, name, node.args.len()));
            node.args
                .iter()
                .for_each(|argument| self.visit_expr(argument));
        } else {
            visit::visit_expr_call(self, node);
        }
    }

    fn visit_expr_path(&mut self, node: &'a ExprPath) {
        let name = node.path.get_ident().filter(|name| is_small(name));
        self.values.extend(name.filter(|_| node.qself.is_none()));
    }

    fn visit_item(&mut self, _: &'a Item) {
        self.has_items = true;
    }
}

/// Returns the name of a called function, and the name of the type before it.
fn function_of(called: &Expr) -> Option<(Option<&Ident>, &Ident)> {
    let Expr::Path(ExprPath {
        qself: None, path, ..
    }) = called
    else {
        return None;
    };
    let mut segments = path.segments.iter().map(|segment| &segment.ident);
    match (segments.next()?, segments.next(), segments.next()) {
        (name, None, _) => Some((None, name)),
        (owner, Some(name), None) => Some((Some(owner), name)),
        _ => None,
    }
}

fn is_small(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_lowercase)
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
            if is_binding || is_small(&node.ident) {
                self.0.insert(&node.ident);
            }
            visit::visit_pat_ident(self, node);
        }
    }
    let mut bound = Bound::default();
    bound.visit_pat(pat);
    bound.0
}
