//! The calls by which functions that await each other lead back to themselves.
//!
//! ```text
//! Box::pin(odd(n - 1)).await      Box::pin(odd(n - 1).__volt_linked()).await
//! self.left.visit(n).await        self.left.visit(n).__volt_linked().await
//! ```
//!
//! Only calls that are awaited at once count, alone or in a box. Such a future is used for nothing
//! else, so the future of a copy can replace it. Any other use of the name is that of a machine.

use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprAwait, Item, ItemFn, parse_quote};

use super::super::other_attributes::is_foreign;
use super::own_calls::OwnCalls;
use super::own_uses::names_itself;
use crate::options::Options;
use crate::signature::{FunctionTokens, Method, machine_name};
use crate::syntax::{machines_lead_back, words_lead_back};

/// The method of a machine that returns the future of its linked copy.
pub(super) fn linked_mark() -> Ident {
    format_ident!("__volt_linked")
}

/// Returns the name of a function among the words of the package.
pub(super) fn own_name(name: &Ident, method: Option<&Method>) -> String {
    let has_receiver = method.is_some_and(|it| it.original.sig.receiver().is_some());
    let point = if has_receiver { "." } else { "" };
    format!("{point}{name}")
}

/// Returns the text of a function without its linked calls, if it has some and no other use of its
/// own name. Its machine may have a linked copy then.
///
/// The machine of a generic function has its coroutine as a parameter, so the compiler looks
/// through it.
pub(super) fn unlinked_text(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: &FunctionTokens,
    options: &Options,
) -> Option<String> {
    let mut params = item.sig.generics.params.iter();
    let is_generic = params.any(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
    if options.editor || is_generic || tokens.contains("impl") || item.attrs.iter().any(is_foreign)
    {
        return None;
    }
    let machine = machine_name(options, item, method);
    let names = [&*own_name(&item.sig.ident, method), &*machine.to_string()];
    if !machines_lead_back(names, item.sig.ident.span(), tokens.text()) {
        return None;
    }
    let calls = |block: &mut Block| {
        let mut calls = LinkedCalls::new(item, method, &machine, Change::Remove);
        calls.visit_block_mut(block);
        calls.is_any
    };
    let (is_any, is_named, function) = match method {
        Some(method) => {
            let mut method = method.clone();
            let is_any = calls(&mut method.original.block);
            (
                is_any,
                OwnCalls::find(&method).any(),
                method.original.to_token_stream(),
            )
        }
        None => {
            let mut item = item.clone();
            let is_any = calls(&mut item.block);
            (is_any, names_itself(&item), item.to_token_stream())
        }
    };
    (is_any && !is_named).then(|| FunctionTokens::of_item(&function).text().to_owned())
}

/// Marks the linked calls in the body of a copy.
pub(super) fn link_calls(
    item: &ItemFn,
    method: Option<&Method>,
    machine: &Ident,
    body: &mut Block,
) {
    LinkedCalls::new(item, method, machine, Change::Mark).visit_block_mut(body);
}

/// The change of a linked call.
#[derive(Clone, Copy)]
enum Change {
    /// The future of the copy replaces the machine.
    Mark,
    /// The call loses the name of its function.
    Remove,
}

/// The linked calls in a body.
struct LinkedCalls<'a> {
    item: &'a ItemFn,
    /// The name of the function in the words of the package, and that of its machine.
    names: [String; 2],
    change: Change,
    is_any: bool,
}

impl<'a> LinkedCalls<'a> {
    fn new(item: &'a ItemFn, method: Option<&Method>, machine: &Ident, change: Change) -> Self {
        Self {
            item,
            names: [own_name(&item.sig.ident, method), machine.to_string()],
            change,
            is_any: false,
        }
    }

    /// Returns `true` if the function of a call may lead back to the own function.
    fn leads_back(&self, call: &Expr) -> bool {
        let (name, before) = match call {
            Expr::MethodCall(call) => (&call.method, "."),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => match path.path.segments.last() {
                    Some(last) if path.path.segments.len() > 1 => (&last.ident, "::"),
                    Some(last) => (&last.ident, ""),
                    None => return false,
                },
                _ => return false,
            },
            _ => return false,
        };
        let own = &self.item.sig.ident;
        let [function, machine] = &self.names;
        name == own
            || words_lead_back(
                [function, machine],
                own.span(),
                &format!("{before}{name}()"),
            )
    }

    fn change(&mut self, call: &mut Expr) {
        if !self.leads_back(call) {
            return;
        }
        self.is_any = true;
        let mark = linked_mark();
        match (self.change, call) {
            (Change::Mark, call) => *call = parse_quote!(#call.#mark()),
            (Change::Remove, Expr::MethodCall(call)) => call.method = mark,
            (Change::Remove, Expr::Call(call)) => *call.func = parse_quote!(#mark),
            (Change::Remove, _) => {}
        }
    }
}

impl VisitMut for LinkedCalls<'_> {
    fn visit_expr_await_mut(&mut self, node: &mut ExprAwait) {
        visit_mut::visit_expr_await_mut(self, node);
        if let Some(call) = awaited_call(&mut node.base) {
            self.change(call);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Returns the call that an operand of `.await` is, or that it boxes.
fn awaited_call(operand: &mut Expr) -> Option<&mut Expr> {
    let is_boxed = matches!(&*operand, Expr::Call(call) if is_box_pin(&call.func));
    match operand {
        Expr::Paren(node) => awaited_call(&mut node.expr),
        Expr::Group(node) => awaited_call(&mut node.expr),
        Expr::Call(_) if is_boxed => boxed_call(operand),
        Expr::Call(_) | Expr::MethodCall(_) => Some(operand),
        _ => None,
    }
}

/// Returns the call in the argument of `Box::pin`.
fn boxed_call(call: &mut Expr) -> Option<&mut Expr> {
    let Expr::Call(call) = call else { return None };
    let argument = call.args.first_mut().filter(|_| !has_types(&call.func))?;
    awaited_call(argument)
}

/// Returns `true` if a function has generic arguments, which may name the machine.
fn has_types(function: &Expr) -> bool {
    let Expr::Path(function) = function else {
        return false;
    };
    let mut segments = function.path.segments.iter();
    segments.any(|segment| !segment.arguments.is_none())
}

/// Returns `true` if a function is `Box::pin`.
fn is_box_pin(function: &Expr) -> bool {
    let Expr::Path(function) = function else {
        return false;
    };
    let mut words = function.path.segments.iter().rev().map(|it| &it.ident);
    words.next().is_some_and(|word| word == "pin") && words.next().is_some_and(|word| word == "Box")
}
