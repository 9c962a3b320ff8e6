//! Functions that await themselves without a box: their machine would contain itself.
//!
//! The compiler reports it as a cycle of its own queries. The macro reports the call only if its
//! name can mean nothing else: no argument has the name, and nothing in the body binds it, may
//! import it or removes it by a condition.
//!
//! Methods of one `impl` may await each other without a box, so that each machine would contain the
//! next one. Plain functions may form such a cycle too, but the attribute of a function has no
//! access to another function.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprAsync, ExprAwait, ExprClosure, Item, ItemMacro, Path, Signature, StmtMacro,
    UseGlob,
};

use super::other_attributes::is_foreign;
use crate::errors::{Errors, Rule};
use crate::names::known;
use crate::options::Options;
use crate::signature::Method;
use crate::syntax::contains_ident;

/// Reports each such await in the body of a function or method. Returns `true` if there is one.
pub(crate) fn reject_recursion(
    sig: &Signature,
    body: &Block,
    is_method: bool,
    errors: &mut Errors,
) -> bool {
    // The calls of that name are calls of the argument.
    let inputs = &sig.inputs;
    if !is_method && contains_ident(quote!(#inputs), &sig.ident.to_string()) {
        return false;
    }
    let calls = awaits_of(&sig.ident, body, is_method);
    // One error for each function, as rustc has it.
    if let Some(call) = calls.first() {
        errors.refuse(Rule::UnboxedRecursion, call);
    }
    !calls.is_empty()
}

/// Returns the calls of a function or method that its body awaits without a box. The list is empty
/// if the name may mean something else.
fn awaits_of<'a>(name: &Ident, body: &'a Block, is_method: bool) -> Vec<&'a Expr> {
    let mut found = RecursiveAwaits {
        name,
        is_method,
        calls: Vec::new(),
    };
    found.visit_block(body);
    let may_mean_others =
        || has_other_meaning(name, body.to_token_stream()) || !is_method && brings_names(body);
    if !found.calls.is_empty() && may_mean_others() {
        found.calls.clear();
    }
    found.calls
}

/// Returns `true` if the name may mean something else: it is followed by no call, or it is the name
/// of an item in the body.
fn has_other_meaning(name: &Ident, tokens: TokenStream) -> bool {
    let mut before = String::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Group(group) if has_other_meaning(name, group.stream()) => return true,
            TokenTree::Ident(word) if word == "cfg" => return true,
            TokenTree::Ident(word) if word == name && before != "." => {
                let is_called = match tokens.peek() {
                    Some(TokenTree::Group(next)) => next.delimiter() == Delimiter::Parenthesis,
                    // The name of a constant has a single colon behind it.
                    Some(TokenTree::Punct(next)) => {
                        next.as_char() == ':' && next.spacing() == Spacing::Joint
                    }
                    _ => false,
                };
                if !is_called || matches!(&*before, "fn" | "struct") {
                    return true;
                }
            }
            _ => {}
        }
        before = token.to_string();
    }
    false
}

/// Returns `true` if the body may bring in names that it does not show: by `use ..::*`, or by a
/// macro in the place of a statement.
fn brings_names(body: &Block) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_use_glob(&mut self, _: &'ast UseGlob) {
            self.0 = true;
        }

        fn visit_stmt_macro(&mut self, node: &'ast StmtMacro) {
            self.0 |= known(&node.mac).is_none();
        }

        fn visit_item_macro(&mut self, _: &'ast ItemMacro) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_block(body);
    find.0
}

struct RecursiveAwaits<'a, 'ast> {
    name: &'a Ident,
    is_method: bool,
    calls: Vec<&'ast Expr>,
}

impl RecursiveAwaits<'_, '_> {
    fn is_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_own(&inner.expr),
            Expr::Group(inner) => self.is_own(&inner.expr),
            Expr::Call(call) => {
                matches!(&*call.func, Expr::Path(func) if func.qself.is_none() && self.names(&func.path))
            }
            Expr::MethodCall(call) => {
                let is_self = matches!(&*call.receiver, Expr::Path(it) if it.path.is_ident("self"));
                self.is_method && is_self && call.method == *self.name
            }
            _ => false,
        }
    }

    fn names(&self, path: &Path) -> bool {
        let mut names = path.segments.iter().map(|segment| &segment.ident);
        let is_of_self = self.is_method && names.next().is_some_and(|first| first == "Self");
        (is_of_self || !self.is_method)
            && path.leading_colon.is_none()
            && names.next().is_some_and(|last| last == self.name)
            && names.next().is_none()
    }
}

impl<'ast> Visit<'ast> for RecursiveAwaits<'_, 'ast> {
    fn visit_expr_await(&mut self, node: &'ast ExprAwait) {
        if self.is_own(&node.base) {
            self.calls.push(&node.base);
        }
        visit::visit_expr_await(self, node);
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Reports one await of each cycle. Returns the numbers of the methods that have no machine because
/// of that.
pub(crate) fn reject_cycles(methods: &[(&Method, &Options)], errors: &mut Errors) -> Vec<usize> {
    let mut calls = calls(methods);
    let mut refused = Vec::new();
    for start in 0..methods.len() {
        let closing = calls
            .iter()
            .find(|call| call.from == start && call.to != start && leads(&calls, call.to, start));
        let Some(closing) = closing else { continue };
        errors.refuse(Rule::UnboxedCircle, closing.place);
        refused.push(start);
        calls.retain(|call| call.from != start);
    }
    refused
}

/// An await of one method in another one.
struct MethodAwait<'a> {
    from: usize,
    to: usize,
    place: &'a Expr,
}

fn calls<'a>(methods: &[(&'a Method, &Options)]) -> Vec<MethodAwait<'a>> {
    let plain = || methods.iter().enumerate().filter(|(_, it)| is_plain(**it));
    let mut calls = Vec::new();
    for (to, (called, _)) in plain() {
        let name = &called.original.sig.ident;
        let named = methods.iter().filter(|it| it.0.original.sig.ident == *name);
        if named.count() > 1 {
            continue;
        }
        for (from, (method, _)) in plain() {
            let places = awaits_of(name, &method.original.block, true);
            calls.extend(
                places
                    .into_iter()
                    .map(|place| MethodAwait { from, to, place }),
            );
        }
    }
    calls
}

/// Returns `true` if the machine of a method contains all futures that the method awaits. A call in
/// a method of a trait may mean a third method, and another attribute may put the body into a box.
fn is_plain((method, options): (&Method, &Options)) -> bool {
    let is_condition = |attr: &syn::Attribute| attr.path().is_ident("cfg");
    let mut attrs = method.original.attrs.iter();
    method.impl_target.trait_path.is_none()
        && !options.boxed
        && !attrs.any(|attr| is_foreign(attr) || is_condition(attr))
}

/// Returns `true` if awaits lead from one method to another.
fn leads(calls: &[MethodAwait<'_>], from: usize, to: usize) -> bool {
    let (mut seen, mut next) = (vec![from], 0);
    while let Some(&at) = seen.get(next) {
        next += 1;
        for call in calls.iter().filter(|call| call.from == at) {
            if !seen.contains(&call.to) {
                seen.push(call.to);
            }
        }
    }
    seen.contains(&to)
}
