//! Marks the awaits of the function itself, each with the index of its state.
//!
//! Awaits in closures and items belong to other futures, and an `async` block marks its own. Awaits
//! in most macros are not changed: the statement around them records its position before it begins.
//! The branches of known macros are part of the tree.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::visit_mut::{self, VisitMut};
use syn::{
    AngleBracketedGenericArguments, Attribute, Block, Expr, ExprAsync, ExprAwait, ExprCall,
    ExprClosure, ExprConst, ExprForLoop, ExprLoop, ExprMethodCall, ExprWhile, GenericArgument,
    Item, Macro, Stmt, Token, Type, parse_quote_spanned,
};

use super::super::native_machine::{NativeMachine, arguments_ptr};
use super::super::walks::awaits;
use super::allow_expected::AllowExpected;
use super::pinned_locals::{AwaitLocals, Bindings, PinnedLocals, PinnedRow};
use crate::backend::LINT_REASON;
use crate::names::{TokenList, end_of, local};
use crate::syntax::{
    await_name, each_argument, macro_name, take_label_of_statement, visible_awaits,
};

/// An await of a machine.
#[derive(Clone, Debug)]
pub(in crate::native) struct Site {
    /// The label, or a text for the awaited expression.
    pub(in crate::native) title: String,
    pub(in crate::native) span: Span,
}

/// The awaits of a body, and the locals that `pin!` binds in it.
#[derive(Clone, Debug, Default)]
pub(in crate::native) struct Marks {
    /// The awaits, in source order.
    pub(in crate::native) sites: Vec<Site>,
    pub(in crate::native) pinned: Vec<PinnedRow>,
}

impl NativeMachine<'_> {
    /// Marks the awaits of a body, and returns them. `is_own` is `true` if the coroutine awaits the
    /// body itself, and not through an attribute's code. Without a trace only labels are removed.
    pub(in crate::native) fn mark(&self, body: &mut Block, is_own: bool, is_traced: bool) -> Marks {
        let private = self.private();
        let mut marker = AwaitMarker {
            awaited: quote!(#private::AwaitOperand).into_iter().collect(),
            private: self.private().clone(),
            probe: self.probe_of_pinned(),
            table: self.table(),
            is_own,
            is_compact: is_own && self.is_compact(),
            depends_on_types: self.depends_on_types(),
            is_traced,
            sites: Vec::new(),
            label: None,
            hidden: None,
            pinned: PinnedLocals::default(),
            denies_dormant: self.options.deny_dormant.is_some(),
            traces_blocks: is_traced,
            machine: self.name.to_string(),
            blocks: Vec::new(),
            block_count: 0,
        };
        marker.mark_block(body);
        // The import is within the body's own braces, whose edition determines when temporaries of
        // its tail are dropped. Nested braces around several lines raise no lint.
        let mut imports = self.imports();
        if marker.pinned.has_bare_pin {
            imports.extend(quote! {
                #[allow(unused_imports, reason = #LINT_REASON)]
                use #private::pins::*;
            });
        }
        imports.extend(marker.blocks);
        body.stmts.insert(0, Stmt::Item(Item::Verbatim(imports)));
        Marks {
            sites: marker.sites,
            pinned: marker.pinned.into_rows(),
        }
    }

    /// Returns the method that creates a pinned local. The type of a future may depend on type
    /// parameters, and then it is not known if the type is `Unpin`.
    fn probe_of_pinned(&self) -> Ident {
        let name = if self.depends_on_types() {
            "__volt_pinned_type"
        } else {
            "__volt_pinned"
        };
        Ident::new(name, Span::call_site())
    }

    /// Returns the import of the traits that marked awaits need.
    pub(in crate::native) fn imports(&self) -> TokenStream {
        let private = self.private();
        quote!(use #private::awaits::*;)
    }
}

/// A macro that may await.
pub(super) struct HiddenAwaits {
    pub(super) name: String,
    pub(super) span: Span,
    /// The number of its branches, which the tree shows.
    pub(super) branches: usize,
}

pub(super) struct AwaitMarker {
    /// The path of the type around an operand.
    pub(super) awaited: Vec<TokenTree>,
    /// The path of the runtime's support.
    pub(super) private: TokenList,
    /// The method that creates a pinned local.
    pub(super) probe: Ident,
    /// The type with the machine's table.
    pub(super) table: Ident,
    pub(super) is_own: bool,
    /// `true` if the machine stores only its coroutine.
    pub(super) is_compact: bool,
    /// `true` if the type of the coroutine may depend on type parameters.
    pub(super) depends_on_types: bool,
    pub(super) is_traced: bool,
    pub(super) sites: Vec<Site>,
    pub(super) label: Option<String>,
    /// A macro of the current statement that may await.
    pub(super) hidden: Option<HiddenAwaits>,
    pub(super) pinned: PinnedLocals,
    /// `true` if an await may hold no future that it does not poll.
    pub(super) denies_dormant: bool,
    /// `true` if `async` blocks record their awaits.
    pub(super) traces_blocks: bool,
    /// The name of the machine.
    pub(super) machine: String,
    /// The tables of the blocks.
    pub(super) blocks: Vec<TokenStream>,
    /// The number of blocks so far, also those around the current code.
    pub(super) block_count: usize,
}

impl AwaitMarker {
    /// Adds a site, and returns the index of its state. The start has index 0.
    pub(super) fn add_site(&mut self, what: &str, span: Span) -> usize {
        let title = match self.label.take() {
            Some(label) => label,
            None => format!("await {what}"),
        };
        self.sites.push(Site { title, span });
        self.sites.len()
    }

    /// Returns the names that a statement binds. A body without a trace has no pinned locals.
    fn bindings(&mut self, stmt: &mut Stmt, rest: &[Stmt]) -> Option<Bindings> {
        if !self.is_traced {
            return None;
        }
        self.pinned.bindings(stmt, rest)
    }

    /// Returns the statements that declare the pinned locals of the statement before them.
    fn declare(&self, pinned: Vec<(usize, Ident)>) -> impl Iterator<Item = Stmt> {
        let pinned = pinned.into_iter();
        let held = pinned.filter(|(index, _)| self.pinned.is_held(*index));
        held.map(|(index, name)| {
            let (private, probe, table) = (&self.private, &self.probe, &self.table);
            let (address, index) = (pinned_local(index), Literal::usize_unsuffixed(index));
            let span = Span::mixed_site().located_at(name.span());
            parse_quote_spanned! {span=>
                #[allow(unused_variables, reason = #LINT_REASON)]
                let #address = #private::pinned_probe(&#name).#probe::<#table, #index>();
            }
        })
    }

    /// Adds a statement for each await beside a pinned local, after the local. The statement does
    /// not compile if the local is a future.
    fn deny_dormant(&self, block: &mut Block, declared_at: Vec<(usize, (usize, Ident))>) {
        for (at, (index, name)) in declared_at.into_iter().rev() {
            let Some((awaits, line)) = self.pinned.awaits_beside(index) else {
                continue;
            };
            let line = Literal::usize_unsuffixed(line);
            for place in awaits.iter().rev() {
                let (private, span) = (&self.private, Span::mixed_site().located_at(*place));
                let check = parse_quote_spanned! {span=>
                    #private::pinned_probe(&#name).__volt_deny_dormant::<#line>();
                };
                block.stmts.insert(at, check);
            }
        }
    }

    /// Returns `AwaitOperand(base).__volt_begin().__volt_at_site::<Table, index,
    /// _>(arguments_ptr)`, built as a tree, because parsing it would take as long as all other
    /// work. With pinned locals beside the await, `.__volt_beside([..])` replaces
    /// `.__volt_begin()`.
    fn mark_await(&self, base: Expr, index: usize, place: Span, locals: &AwaitLocals) -> Expr {
        let (user, end) = (base.span(), end_of(&base));
        let span = Span::mixed_site().located_at(user);
        let awaited = Expr::Call(ExprCall {
            attrs: Vec::new(),
            func: Box::new(Expr::Verbatim(begun_at(&self.awaited, (user, end)))),
            // The compiler reports a missing bound at the operand.
            paren_token: Paren(end),
            args: Punctuated::from_iter([without_parens(base)]),
        });
        let name = if self.is_compact {
            "__volt_compact"
        } else if self.is_own {
            "__volt_at_site"
        } else {
            "__volt_nested"
        };
        let begun = if !locals.beside.is_empty() {
            let mut begun = method(awaited, "__volt_beside", span);
            let beside = locals.beside.iter().map(|index| pinned_local(*index));
            let beside = quote_spanned!(span=> [#(#beside.dormant()),*]);
            begun.args.push(Expr::Verbatim(beside));
            Expr::MethodCall(begun)
        } else if self.is_own && (!self.is_compact || self.depends_on_types) {
            Expr::MethodCall(method(awaited, "__volt_begin", span))
        } else {
            awaited
        };
        let mut call = method(begun, name, span);
        // The compiler reports here that the base is no future, as it does at the user's `await`.
        call.method.set_span(span.located_at(place));
        let (table, index) = (&self.table, Literal::usize_unsuffixed(index));
        let types = Type::Verbatim(quote_spanned!(span=> #table, #index, _));
        call.turbofish = Some(AngleBracketedGenericArguments {
            colon2_token: Some(Token![::](span)),
            lt_token: Token![<](span),
            args: Punctuated::from_iter([GenericArgument::Type(types)]),
            gt_token: Token![>](span),
        });
        call.args.push(Expr::Verbatim(marked_ptr(locals)));
        // The compiler reports a wrong output at the await with its whole operand.
        call.paren_token = Paren(end);
        Expr::MethodCall(call)
    }
}

impl VisitMut for AwaitMarker {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let (around, scope) = (self.hidden.take(), self.pinned.enter());
        let mut stmts = std::mem::take(&mut block.stmts).into_iter();
        let mut declared_at = Vec::new();
        while let Some(mut stmt) = stmts.next() {
            take_label_of_statement(&mut stmt, &mut self.label);
            let bindings = self.bindings(&mut stmt, stmts.as_slice());
            let tokens = self.pinned.tokens_of(&stmt);
            let consumed = self.pinned.consumed_by(&stmt, scope);
            self.visit_stmt_mut(&mut stmt);
            self.pinned.end(consumed);
            let hidden = self.hidden.take().filter(|_| self.is_traced);
            if let Some(hidden) = hidden {
                let locals = AwaitLocals::in_macro(self.pinned.held_in(tokens, hidden.span));
                let note = self.note_statement(&hidden, &locals);
                block.stmts.extend(note);
            }
            self.label = None;
            block.stmts.push(stmt);
            let pinned = self.pinned.bind(bindings);
            let declared = pinned.iter().cloned();
            declared_at.extend(declared.map(|pinned| (block.stmts.len(), pinned)));
            block.stmts.extend(self.declare(pinned));
        }
        if self.denies_dormant {
            self.deny_dormant(block, declared_at);
        }
        self.pinned.leave(scope);
        self.hidden = around;
    }

    fn visit_expr_mut(&mut self, node: &mut Expr) {
        visit_mut::visit_expr_mut(self, node);
        self.trace_block(node);
    }

    fn visit_expr_loop_mut(&mut self, node: &mut ExprLoop) {
        self.pinned.enter_loop();
        visit_mut::visit_expr_loop_mut(self, node);
        self.pinned.leave_loop();
    }

    fn visit_expr_while_mut(&mut self, node: &mut ExprWhile) {
        self.pinned.enter_loop();
        visit_mut::visit_expr_while_mut(self, node);
        self.pinned.leave_loop();
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut ExprForLoop) {
        self.pinned.enter_loop();
        visit_mut::visit_expr_for_loop_mut(self, node);
        self.pinned.leave_loop();
    }

    fn visit_expr_await_mut(&mut self, node: &mut ExprAwait) {
        let title = await_name(&node.base);
        let locals = self.pinned.of_await(&node.base, node.await_token.span);
        visit_mut::visit_expr_await_mut(self, node);
        if !self.is_traced {
            return;
        }
        let index = self.add_site(&title, node.await_token.span);
        let base = std::mem::replace(&mut *node.base, Expr::PLACEHOLDER);
        *node.base = self.mark_await(base, index, node.await_token.span, &locals);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if visible_awaits(mac).is_some() {
            each_argument(mac, |value| self.visit_expr_mut(value));
        } else if self.hidden.is_none() && awaits(mac) {
            let branches = if self.is_traced {
                self.mark_branches(mac)
            } else {
                0
            };
            self.hidden = Some(HiddenAwaits {
                name: macro_name(mac),
                span: mac.bang_token.span,
                branches,
            });
        }
    }

    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        AllowExpected.visit_attributes_mut(attrs);
    }

    fn visit_expr_closure_mut(&mut self, node: &mut ExprClosure) {
        AllowExpected.visit_expr_closure_mut(node);
        self.trace_blocks_of(node);
    }

    fn visit_expr_async_mut(&mut self, node: &mut ExprAsync) {
        AllowExpected.visit_expr_async_mut(node);
    }

    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The local of the expansion with the address of a pinned local.
fn pinned_local(index: usize) -> Ident {
    local(&format!("pinned_{index}"))
}

/// Returns the pointer to the machine, for an await. Its evaluation records the pinned locals that
/// the await may poll.
pub(super) fn marked_ptr(locals: &AwaitLocals) -> TokenStream {
    let record = Ident::new(locals.record(), Span::call_site());
    let ptr = arguments_ptr().into_token_stream();
    locals.named.iter().fold(ptr, |ptr, index| {
        let local = pinned_local(*index);
        quote!(#local.#record(#ptr))
    })
}

/// Returns a call of a method without arguments.
fn method(receiver: Expr, name: &str, span: Span) -> ExprMethodCall {
    ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: Token![.](span),
        method: Ident::new(name, span),
        turbofish: None,
        paren_token: Paren(span),
        args: Punctuated::new(),
    }
}

/// Returns the path from the first to the last place of the user's tokens. An error that `?`
/// converts has the location where the expression begins, and that is this path.
pub(in crate::native) fn begun_at(path: &[TokenTree], (start, end): (Span, Span)) -> TokenStream {
    let last = path.len().saturating_sub(1);
    let tokens = path.iter().cloned().enumerate().map(|(index, mut token)| {
        let is_crate = matches!(&token, TokenTree::Ident(word) if word == "$crate");
        if !is_crate {
            token.set_span(if index == last { end } else { start });
        }
        token
    });
    tokens.collect()
}

/// Removes parentheses, which an argument of a call does not need.
fn without_parens(expr: Expr) -> Expr {
    match expr {
        Expr::Paren(paren) if paren.attrs.is_empty() => without_parens(*paren.expr),
        other => other,
    }
}
