//! The calls by which functions that await each other lead back to themselves.
//!
//! ```text
//! Box::pin(odd(n - 1)).await      Box::pin(odd(n - 1).__volt_linked()).await
//! self.left.visit(n).await        self.left.visit(n).__volt_linked().await
//! heap(odd(n - 1)).await          heap(odd(n - 1).__volt_linked()).await
//! boxed!(odd(n - 1))              boxed!(odd(n - 1).__volt_linked())
//! boxed!(odd, n - 1)              { let odd = |n| odd(n).__volt_linked(); boxed!(odd, n - 1) }
//! ```
//!
//! Only calls within an operand of `.await` count: alone, in a box, or in the arguments of
//! functions that require nothing of the future ([`LinkedOperands`]). A local may hold it before,
//! which is used for nothing else ([`LinkedLocals`]). So the future of a copy can replace the
//! machine. Any other use of the name is that of a machine.

mod copied_fn;
mod linked_operands;
mod linked_locals;
mod assumed_calls;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAwait, ExprMethodCall, Item, ItemFn, Local, Macro, Pat, Path, Safety, Stmt,
    parse_quote,
};

use super::super::other_attributes::is_foreign;
use super::own_calls::OwnCalls;
use super::own_uses::names_itself;
use crate::options::Options;
use crate::signature::FunctionTokens;
use crate::syntax::{argument_count, machines_lead_back, words_lead_back};
use assumed_calls::AssumedCalls;
use copied_fn::{Change, method_end, path_end};
pub(super) use copied_fn::{CopiedFn, copy_mark, linked_mark, own_name};
use linked_locals::{LinkedLocals, takes_futures};
use linked_operands::{LinkedOperands, requires_nothing, single_name};

/// The calls that a copy replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallPlaces {
    /// Futures that are used for an `.await` alone, by the futures of the copies.
    Neutral,
    /// Futures at any place, by futures whose auto traits are assumed.
    Any,
}

impl CopiedFn<'_> {
    /// Returns `true` if a function may have a linked copy. The machine of a generic function has
    /// its coroutine as a parameter, so the compiler looks through it.
    pub(super) fn may_have_copy(&self, tokens: &FunctionTokens, options: &Options) -> bool {
        let mut params = self.item.sig.generics.params.iter();
        let is_generic = params.any(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
        let is_foreign = || self.item.attrs.iter().any(is_foreign);
        !options.editor && !is_generic && !tokens.contains("impl") && !is_foreign()
    }

    /// Returns the text of a function without its linked calls, if it has some, no other use of its
    /// own name, and leads back to itself through machines alone. `is_named` is `true` if it may
    /// call a function of its name.
    pub(super) fn unlinked_text(&self, tokens: &FunctionTokens, is_named: bool) -> Option<String> {
        let [own, machine] = self.names();
        let names = [&*own, &*machine];
        machines_lead_back(names, self.item.sig.ident.span(), tokens.text(), is_named)
            .then(|| self.text_without_calls(CallPlaces::Neutral))
            .flatten()
    }

    /// Returns `true` if all uses that may lead back to the function are calls whose futures the
    /// copy can replace. `is_named` is `true` if it may call a function of its name.
    pub(super) fn has_copy_at_any_place(&self, tokens: &FunctionTokens, is_named: bool) -> bool {
        let ([own, machine], place) = (self.names(), self.item.sig.ident.span());
        let leads_back = |text: &str| words_lead_back([&own, &machine], place, text);
        let machines_lead_back =
            || machines_lead_back([&own, &machine], place, tokens.text(), is_named);
        !matches!(self.item.sig.safety, Safety::Unsafe(_))
            && (leads_back(tokens.text()) || machines_lead_back())
            && self
                .text_without_calls(CallPlaces::Any)
                .is_some_and(|text| !leads_back(&text))
    }

    fn text_without_calls(&self, places: CallPlaces) -> Option<String> {
        let calls = |block: &mut Block| match places {
            CallPlaces::Neutral => {
                let mut calls = LinkedCalls::new(self, Change::Remove, block);
                calls.visit_block_mut(block);
                calls.is_any
            }
            CallPlaces::Any => {
                let mut calls = AssumedCalls::new(self, Change::Remove);
                calls.visit_signature_mut(&mut self.item.sig.clone());
                calls.visit_block_mut(block);
                calls.is_any && !calls.is_excluded
            }
        };
        let (is_any, is_named, function) = match self.method {
            Some(method) => {
                let mut method = method.clone();
                let is_any = calls(&mut method.original.block);
                let is_named = OwnCalls::find(&method).any();
                (is_any, is_named, method.original.to_token_stream())
            }
            None => {
                let mut item = self.item.clone();
                let is_any = calls(&mut item.block);
                (is_any, names_itself(&item), item.to_token_stream())
            }
        };
        (is_any && !is_named).then(|| FunctionTokens::of_item(&function).text().to_owned())
    }
}

/// Marks the linked calls in the body of a copy.
pub(super) fn link_calls(of: &CopiedFn<'_>, places: CallPlaces, volt: &Path, body: &mut Block) {
    match places {
        CallPlaces::Neutral => LinkedCalls::new(of, Change::Mark, body).visit_block_mut(body),
        CallPlaces::Any => {
            let mut calls = AssumedCalls::new(of, Change::Mark);
            calls.visit_block_mut(body);
            calls.declare_copies(volt, body);
        }
    }
}

/// The linked calls in a body.
struct LinkedCalls<'a> {
    item: &'a ItemFn,
    /// The name of the function in the words of the package, and that of its machine.
    names: [String; 2],
    locals: LinkedLocals,
    change: Change,
    is_any: bool,
}

impl<'a> LinkedCalls<'a> {
    fn new(of: &CopiedFn<'a>, change: Change, body: &Block) -> Self {
        let item = of.item;
        let is_neutral = |function: &Expr| requires_nothing(function, item.sig.ident.span());
        let locals = LinkedLocals::find(&item.sig, body, &is_neutral);
        Self {
            item,
            names: of.names(),
            locals,
            change,
            is_any: false,
        }
    }

    /// Returns `true` if the function of a call may lead back to the own function.
    fn leads_back(&self, call: &Expr) -> bool {
        let (name, path) = match call {
            Expr::MethodCall(call) => (&call.method, method_end(call)),
            Expr::Call(call) => match path_end(&call.func) {
                Some(end) => end,
                None => return false,
            },
            function => match path_end(function) {
                Some(end) => end,
                None => return false,
            },
        };
        let own = &self.item.sig.ident;
        let [function, machine] = &self.names;
        name == own || words_lead_back([function, machine], own.span(), &format!("{path}()"))
    }

    fn change(&mut self, call: &mut Expr) -> bool {
        if !self.leads_back(call) {
            return false;
        }
        self.is_any = true;
        let mark = linked_mark();
        match (self.change, &mut *call) {
            (Change::Mark, Expr::Path(function)) => {
                *call = parse_quote!(|__volt_value| #function(__volt_value).#mark());
            }
            (Change::Mark, call) => *call = parse_quote!(#call.#mark()),
            (Change::Remove, Expr::MethodCall(call)) => call.method = mark,
            (Change::Remove, Expr::Call(call)) => *call.func = parse_quote!(#mark),
            (Change::Remove, Expr::Path(function)) => function.path = mark.into(),
            (Change::Remove, _) => {}
        }
        true
    }
}

impl LinkedCalls<'_> {
    /// Changes the calls that a function of the operands finds.
    fn operands(&mut self, find: impl FnOnce(&mut LinkedOperands<'_>)) {
        let place = self.item.sig.ident.span();
        let mut change = |call: &mut Expr| self.change(call);
        find(&mut LinkedOperands::new(place, &mut change));
    }
}

impl LinkedCalls<'_> {
    /// Links the functions whose names a macro takes. Returns closures of these names.
    fn link_names(&mut self, node: &mut Macro) -> Vec<Stmt> {
        let (place, mark) = (self.item.sig.ident.span(), linked_mark());
        let own = self.names[0].clone();
        let names = LinkedOperands::new(place, &mut |_| false).names_in(node);
        let functions = names.into_iter().filter_map(|name| {
            let count = argument_count(&name.to_string(), (&own, place))?;
            let is_linked = self.leads_back(&parse_quote!(#name));
            is_linked.then_some((name, count))
        });
        let mut closures = Vec::new();
        for (name, count) in functions.collect::<Vec<_>>() {
            self.is_any = true;
            match self.change {
                Change::Mark => {
                    let arguments = (0..count).map(|index| format_ident!("__volt_value_{index}"));
                    let arguments: Vec<_> = arguments.collect();
                    closures.push(parse_quote! {
                        let #name = |#(#arguments),*| #name(#(#arguments),*).#mark();
                    });
                }
                Change::Remove => node.tokens = renamed(node.tokens.clone(), &name, &mark),
            }
        }
        closures
    }
}

/// Returns tokens with another name at the place of a name.
fn renamed(tokens: TokenStream, name: &Ident, other: &Ident) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == *name => TokenTree::Ident(other.clone()),
        token => token,
    });
    tokens.collect()
}

impl VisitMut for LinkedCalls<'_> {
    fn visit_expr_await_mut(&mut self, node: &mut ExprAwait) {
        visit_mut::visit_expr_await_mut(self, node);
        self.operands(|operands| operands.operand(&mut node.base));
    }

    fn visit_local_mut(&mut self, node: &mut Local) {
        visit_mut::visit_local_mut(self, node);
        let is_linked = local_name(&node.pat).is_some_and(|name| self.locals.has(name));
        if let Some(init) = node.init.as_mut().filter(|_| is_linked) {
            self.operands(|operands| operands.kept(&mut init.expr));
        }
    }

    fn visit_expr_method_call_mut(&mut self, node: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, node);
        let list = single_name(&node.receiver).filter(|_| takes_futures(&node.method));
        if list.is_some_and(|list| self.locals.has(list)) {
            for future in &mut node.args {
                self.operands(|operands| operands.kept(future));
            }
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Macro(node) = expr {
            let functions = self.link_names(&mut node.mac);
            if !functions.is_empty() {
                *expr = parse_quote!({ #(#functions)* #expr });
            }
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        visit_mut::visit_stmt_mut(self, stmt);
        if let Stmt::Macro(node) = stmt {
            let (functions, semi) = (self.link_names(&mut node.mac), node.semi_token);
            if !functions.is_empty() {
                *stmt = Stmt::Expr(parse_quote!({ #(#functions)* #node }), semi);
            }
        }
    }

    fn visit_macro_mut(&mut self, node: &mut Macro) {
        self.operands(|operands| operands.macro_call(node));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Returns the name that a local declares.
fn local_name(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(node) => Some(&node.ident),
        Pat::Type(node) => local_name(&node.pat),
        _ => None,
    }
}
