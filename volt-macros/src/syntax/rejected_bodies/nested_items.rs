//! Errors in items of the body, which the explicit layout contains three times.
//!
//! ```text
//! const LIMIT: u32 = size;                    a local of the function in an item
//! fn nested() -> u32 { raw(1) }               an unsafe function of the module, outside of `unsafe`
//! struct Pair { a: u32, b: u32 }  Pair { a }  another set of fields than the struct has
//! ```

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprCall, ExprPath, ExprStruct, ExprUnsafe, Fields, ImplItemFn, Item, ItemFn, ItemStruct,
    Member, PatIdent, Safety, Signature, Stmt,
};

use crate::syntax::source::is_declared_as;

/// Returns `true` if the body has items, and such an error.
pub(crate) fn has_wrong_item(item: &ItemFn) -> bool {
    let is_item = |stmt: &&Stmt| matches!(stmt, Stmt::Item(_));
    let (items, others): (Vec<&Stmt>, Vec<&Stmt>) = item.block.stmts.iter().partition(is_item);
    if items.is_empty() {
        return false;
    }
    let (mut around, mut nested) = (ItemNames::default(), ItemNames::default());
    for input in &item.sig.inputs {
        around.visit_fn_arg(input);
    }
    others.iter().for_each(|stmt| around.visit_stmt(stmt));
    items.iter().for_each(|stmt| nested.visit_stmt(stmt));
    let is_outer = |name: &&Ident| around.bound.contains(*name) && !nested.bound.contains(*name);
    nested.values.iter().any(is_outer)
        || nested
            .calls
            .iter()
            .any(|name| is_declared_as(name, "unsafe"))
        || around.has_other_fields(&nested.structs)
        || nested.has_other_fields(&nested.structs)
}

#[derive(Default)]
struct ItemNames<'a> {
    /// The names that patterns bind, and those of functions.
    bound: BTreeSet<&'a Ident>,
    /// The names that are values.
    values: Vec<&'a Ident>,
    /// The functions that are called outside of `unsafe`.
    calls: Vec<&'a Ident>,
    /// The structs with named fields.
    structs: BTreeMap<&'a Ident, BTreeSet<&'a Ident>>,
    literals: Vec<&'a ExprStruct>,
    unsafe_depth: usize,
}

impl ItemNames<'_> {
    /// Returns `true` if a literal has other fields than its struct.
    fn has_other_fields(&self, structs: &BTreeMap<&Ident, BTreeSet<&Ident>>) -> bool {
        self.literals.iter().any(|literal| {
            let name = literal.path.get_ident().filter(|_| literal.qself.is_none());
            let declared = name.and_then(|name| structs.get(name));
            let written = literal
                .fields
                .iter()
                .filter_map(|field| match &field.member {
                    Member::Named(name) if field.attrs.is_empty() => Some(name),
                    _ => None,
                });
            declared.is_some_and(|declared| *declared != written.collect())
        })
    }

    fn within_unsafe(&mut self, is_unsafe: bool, visit: impl FnOnce(&mut Self)) {
        self.unsafe_depth += usize::from(is_unsafe);
        visit(self);
        self.unsafe_depth -= usize::from(is_unsafe);
    }
}

impl<'a> Visit<'a> for ItemNames<'a> {
    fn visit_pat_ident(&mut self, node: &'a PatIdent) {
        self.bound.insert(&node.ident);
        visit::visit_pat_ident(self, node);
    }

    fn visit_signature(&mut self, node: &'a Signature) {
        self.bound.insert(&node.ident);
        self.bound
            .extend(node.generics.const_params().map(|param| &param.ident));
        visit::visit_signature(self, node);
    }

    fn visit_item(&mut self, node: &'a Item) {
        let name = match node {
            Item::Const(item) => Some(&item.ident),
            Item::Static(item) => Some(&item.ident),
            _ => None,
        };
        self.bound.extend(name);
        visit::visit_item(self, node);
    }

    fn visit_item_fn(&mut self, node: &'a ItemFn) {
        let is_unsafe = matches!(node.sig.safety, Safety::Unsafe(_));
        self.within_unsafe(is_unsafe, |names| visit::visit_item_fn(names, node));
    }

    fn visit_impl_item_fn(&mut self, node: &'a ImplItemFn) {
        let is_unsafe = matches!(node.sig.safety, Safety::Unsafe(_));
        self.within_unsafe(is_unsafe, |names| visit::visit_impl_item_fn(names, node));
    }

    fn visit_expr_unsafe(&mut self, node: &'a ExprUnsafe) {
        self.within_unsafe(true, |names| visit::visit_expr_unsafe(names, node));
    }

    fn visit_item_struct(&mut self, node: &'a ItemStruct) {
        let mut fields = node.fields.iter();
        if matches!(node.fields, Fields::Named(_)) && fields.all(|field| field.attrs.is_empty()) {
            let names = node.fields.iter().filter_map(|field| field.ident.as_ref());
            self.structs.insert(&node.ident, names.collect());
        }
        visit::visit_item_struct(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'a ExprStruct) {
        if node.dot2_token.is_none() {
            self.literals.push(node);
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_expr_call(&mut self, node: &'a ExprCall) {
        if let Expr::Path(path) = &*node.func
            && self.unsafe_depth == 0
        {
            self.calls.extend(path.path.get_ident());
        }
        visit::visit_expr_call(self, node);
    }

    fn visit_expr_path(&mut self, node: &'a ExprPath) {
        self.values
            .extend(node.path.get_ident().filter(|_| node.qself.is_none()));
    }
}
