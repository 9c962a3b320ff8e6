//! `AssumedCalls`: the calls whose futures are replaced in a copy, wherever they are.
//!
//! ```text
//! heap(odd(n - 1)).await       heap(odd(n - 1).__volt_assumed()).await
//! map(odd)                     map(|it| odd(it).__volt_assumed())
//! heap(self.rest()).await      heap(match self.rest() { it => { c.is(it.__volt_copy()); it.__volt_assumed() } }).await
//! ```
//!
//! The auto traits of such a future are assumed, so a function around the call may require them.
//! The copy of the called function is in a local of the body, so it must have these traits, too:
//!
//! ```text
//! let c = HeldCopy::of(|it| odd(it).__volt_copy());
//! ```
//!
//! A closure or an `async` block cannot set such a local. So only calls by a path count in these,
//! whose types are known at the beginning of the body.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprAsync, ExprAwait, ExprCall, ExprClosure, ExprUnsafe, Item, Macro, PatIdent,
    Path, Stmt, Token, parse_quote,
};

use super::super::own_uses::{has_glob, imports};
use super::copied_fn::{Change, CopiedFn, copy_mark, linked_mark, method_end, path_end};
use crate::names::{last_of, upper_camel};
use crate::syntax::{
    contains_ident, is_std_macro, known_argument_count, may_name_machine, takes_calls_apart,
    words_lead_back,
};

/// The calls in a body.
pub(super) struct AssumedCalls<'a> {
    of: &'a CopiedFn<'a>,
    names: [String; 2],
    change: Change,
    /// `true` within a closure or an `async` block.
    is_in_block: bool,
    /// `true` within `unsafe`, where a call may be that of an unsafe function.
    is_in_unsafe: bool,
    /// `true` within an operand of `.await`, so that the type of a call is known.
    is_awaited: bool,
    /// The functions whose copies are held, each with the number of its arguments.
    functions: BTreeMap<String, (TokenStream, usize)>,
    /// The locals that hold the copies of other machines.
    copies: Vec<Ident>,
    pub(super) is_any: bool,
    /// `true` if the type of a future may be named, or a name may mean another item.
    pub(super) is_excluded: bool,
}

impl<'a> AssumedCalls<'a> {
    pub(super) fn new(of: &'a CopiedFn<'a>, change: Change) -> Self {
        Self {
            of,
            names: of.names(),
            change,
            is_in_block: false,
            is_in_unsafe: false,
            is_awaited: false,
            functions: BTreeMap::new(),
            copies: Vec::new(),
            is_any: false,
            is_excluded: false,
        }
    }

    /// Declares the locals that hold copies.
    pub(super) fn declare_copies(&self, volt: &Path, body: &mut Block) {
        let native = quote!(#volt::__private::native);
        let of_functions = self.functions.values().map(|(function, count)| -> Stmt {
            let arguments: Vec<_> = arguments(*count).collect();
            let copy_of = copy_mark();
            parse_quote! {
                let __volt_copy = #native::HeldCopy::of(
                    |(#(#arguments,)*)| #function(#(#arguments),*).#copy_of()
                );
            }
        });
        let of_values = self
            .copies
            .iter()
            .map(|copy| -> Stmt { parse_quote!(let #copy = #native::HeldCopy::new();) });
        let copies: Vec<_> = of_functions.chain(of_values).collect();
        body.stmts.splice(0..0, copies);
    }

    /// Returns `true` if a call by a path that ends with a name may lead back to the function.
    fn leads_back(&mut self, name: &Ident, path: &str) -> bool {
        let own = &self.of.item.sig.ident;
        let [function, machine] = &self.names;
        let leads_back =
            name == own || words_lead_back([function, machine], own.span(), &format!("{path}()"));
        let may_be_named = || {
            let camel = upper_camel(&name.to_string());
            may_name_machine(path, &camel, (function, own.span()))
        };
        self.is_excluded |= leads_back && (self.is_in_unsafe || may_be_named());
        self.is_any |= leads_back;
        leads_back
    }

    fn is_function(&self, name: &Ident) -> bool {
        self.known_count(&name.to_string()).is_some()
    }

    fn known_count(&self, path: &str) -> Option<usize> {
        known_argument_count(path, (&self.names[0], self.of.item.sig.ident.span()))
    }

    /// Returns the number of arguments of a function that is known at the beginning of the body.
    fn arguments_of(&self, path: &Path) -> Option<usize> {
        let mut segments = path.segments.iter();
        let is_plain = segments.all(|it| it.arguments.is_none());
        let mut before = path
            .segments
            .iter()
            .rev()
            .skip(1)
            .map(|it| it.ident.to_string());
        let is_known = before.all(|it| it == "Self" || it.starts_with(char::is_lowercase));
        let is_known = is_plain && is_known;
        is_known.then(|| self.known_count(&path.to_token_stream().to_string()))?
    }

    /// Changes a call by a path, or the path of a function.
    fn path_call(&mut self, call: &mut Expr) {
        let path = match &*call {
            Expr::Call(ExprCall { func, .. }) => &**func,
            other => other,
        };
        let Some((name, text)) = path_end(path).map(|(name, text)| (name.clone(), text)) else {
            return;
        };
        let Expr::Path(function) = path else { return };
        let function = function.path.clone();
        if !self.leads_back(&name, &text) {
            return;
        }
        match self.arguments_of(&function) {
            Some(count) => {
                let is_own = name == self.of.item.sig.ident && function.segments.len() == 1;
                if !is_own {
                    let function = function.to_token_stream();
                    self.functions
                        .insert(function.to_string(), (function, count));
                }
                self.assume(call, count);
            }
            None if matches!(call, Expr::Call(_)) && !self.is_in_block => self.hold(call),
            None => {}
        }
    }

    /// Changes a call whose function is known, or its path.
    fn assume(&self, call: &mut Expr, count: usize) {
        let mark = linked_mark();
        match (self.change, &mut *call) {
            (Change::Mark, Expr::Path(function)) => {
                let arguments: Vec<_> = arguments(count).collect();
                *call = parse_quote!(|#(#arguments),*| #function(#(#arguments),*).__volt_assumed());
            }
            (Change::Mark, call) => *call = parse_quote!(#call.__volt_assumed()),
            (Change::Remove, Expr::Call(call)) => *call.func = parse_quote!(#mark),
            (Change::Remove, call) => *call = parse_quote!(#mark),
        }
    }

    /// Changes a call whose output sets a local.
    fn hold(&mut self, call: &mut Expr) {
        let mark = linked_mark();
        match (self.change, &mut *call) {
            (Change::Mark, call) => {
                let (copy, copy_of) = (
                    format_ident!("__volt_copy_{}", self.copies.len()),
                    copy_mark(),
                );
                *call = parse_quote!(match #call {
                    mut __volt_value => {
                        #copy.is(__volt_value.#copy_of());
                        __volt_value.__volt_assumed()
                    }
                });
                self.copies.push(copy);
            }
            (Change::Remove, Expr::MethodCall(call)) => call.method = mark,
            (Change::Remove, Expr::Call(call)) => *call.func = parse_quote!(#mark),
            (Change::Remove, _) => {}
        }
    }

    fn within_block(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = [self.is_in_block, self.is_awaited];
        (self.is_in_block, self.is_awaited) = (true, false);
        visit(self);
        [self.is_in_block, self.is_awaited] = before;
    }

    /// Changes the calls in tokens: a name that is followed by parentheses.
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let (mut changed, mut before) = (Vec::<TokenTree>::new(), String::new());
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let is_part = [".", ":", "fn"].contains(&before.as_str());
            before = token.to_string();
            match (token, tokens.peek()) {
                (TokenTree::Ident(name), Some(TokenTree::Group(group)))
                    if !is_part && self.is_known_call(&name, group) =>
                {
                    let inner = self.tokens(group.stream());
                    let mark = linked_mark();
                    changed.extend(match self.change {
                        Change::Mark => quote!(#name(#inner).__volt_assumed()),
                        Change::Remove => quote!(#mark(#inner)),
                    });
                    tokens.next();
                    before.clear();
                }
                (TokenTree::Group(group), _) => {
                    let inner = self.tokens(group.stream());
                    let mut inner = Group::new(group.delimiter(), inner);
                    inner.set_span(group.span());
                    changed.push(inner.into());
                    before.clear();
                }
                (token, _) => changed.push(token),
            }
        }
        changed.into_iter().collect()
    }

    /// Returns `true` for the call of a function that leads back, and enters that function.
    fn is_known_call(&mut self, name: &Ident, arguments: &Group) -> bool {
        if arguments.delimiter() != Delimiter::Parenthesis {
            return false;
        }
        let count = self.known_count(&name.to_string());
        let Some(count) = count.filter(|_| self.leads_back(name, &name.to_string())) else {
            return false;
        };
        if *name != self.of.item.sig.ident {
            self.functions
                .insert(name.to_string(), (name.to_token_stream(), count));
        }
        true
    }
}

impl VisitMut for AssumedCalls<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Call(call) => {
                call.args.iter_mut().for_each(|it| self.visit_expr_mut(it));
                if !matches!(&*call.func, Expr::Path(_)) {
                    self.visit_expr_mut(&mut call.func);
                }
                self.path_call(expr);
            }
            Expr::Path(_) => self.path_call(expr),
            Expr::MethodCall(call) => {
                visit_mut::visit_expr_method_call_mut(self, call);
                // The type of the output has to be known.
                let is_own = matches!(&*call.receiver, Expr::Path(it) if it.path.is_ident("self"));
                let is_known = (self.is_awaited || is_own) && !self.is_in_block;
                if is_known && self.leads_back(&call.method.clone(), &method_end(call)) {
                    self.hold(expr);
                }
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_expr_await_mut(&mut self, node: &mut ExprAwait) {
        let before = std::mem::replace(&mut self.is_awaited, true);
        visit_mut::visit_expr_await_mut(self, node);
        self.is_awaited = before;
    }

    fn visit_block_mut(&mut self, node: &mut Block) {
        let before = std::mem::replace(&mut self.is_awaited, false);
        visit_mut::visit_block_mut(self, node);
        self.is_awaited = before;
    }

    fn visit_expr_async_mut(&mut self, node: &mut ExprAsync) {
        self.within_block(|calls| visit_mut::visit_expr_async_mut(calls, node));
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        self.within_block(|calls| visit_mut::visit_expr_closure_mut(calls, node));
    }

    /// A closure calls each function, which an unsafe one does not allow.
    fn visit_expr_unsafe_mut(&mut self, node: &mut ExprUnsafe) {
        let before = std::mem::replace(&mut self.is_in_unsafe, true);
        visit_mut::visit_expr_unsafe_mut(self, node);
        self.is_in_unsafe = before;
    }

    fn visit_macro_mut(&mut self, node: &mut Macro) {
        let before = self.is_in_unsafe;
        self.is_in_unsafe |= contains_ident(node.tokens.clone(), "unsafe");
        let is_taken_apart = last_of(&node.path).is_some_and(takes_calls_apart);
        let elements = is_vec(node).then(|| node.parse_body_with(Elements::parse_terminated));
        if let Some(Ok(mut elements)) = elements {
            elements.iter_mut().for_each(|it| self.visit_expr_mut(it));
            node.tokens = elements.into_token_stream();
        } else if !is_taken_apart {
            node.tokens = self.tokens(node.tokens.clone());
        }
        self.is_in_unsafe = before;
    }

    /// A local hides the function of its name.
    fn visit_pat_ident_mut(&mut self, node: &mut PatIdent) {
        self.is_excluded |=
            self.is_function(&node.ident) && self.leads_back(&node.ident, &node.ident.to_string());
        visit_mut::visit_pat_ident_mut(self, node);
    }

    /// An import may give a name of the module another meaning.
    fn visit_item_mut(&mut self, item: &mut Item) {
        let own = &self.of.item.sig.ident;
        self.is_excluded |= match item {
            Item::Fn(item) => item.sig.ident == *own || self.is_function(&item.sig.ident),
            Item::Use(item) => {
                let mut names = self
                    .functions
                    .keys()
                    .filter_map(|path| path.rsplit(' ').next());
                has_glob(&item.tree)
                    || names.any(|name| imports(&item.tree, &format_ident!("{name}")))
            }
            _ => false,
        };
    }
}

/// The elements in `vec![..]`.
type Elements = Punctuated<Expr, Token![,]>;

/// Returns `true` for `vec!` of the standard library, unless the module has a macro of that name.
fn is_vec(node: &Macro) -> bool {
    let name = node.path.get_ident();
    name.is_some_and(|name| name == "vec" && is_std_macro(name))
}

/// Returns the names of arguments.
fn arguments(count: usize) -> impl Iterator<Item = Ident> {
    (0..count).map(|index| format_ident!("__volt_value_{index}"))
}
