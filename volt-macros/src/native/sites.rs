//! Marks the awaits of the function itself, each with the index of its state.
//!
//! Awaits in closures, `async` blocks and items belong to other futures. Awaits in macros are not
//! changed: the statement around them records its position before it begins.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::visit_mut::{self, VisitMut};
use syn::{
    AngleBracketedGenericArguments, Attribute, Block, Expr, ExprAwait, ExprCall, ExprMethodCall,
    GenericArgument, Item, Macro, Meta, Stmt, Token, Type, parse_quote_spanned,
};

use super::native_machine::{NativeMachine, arguments_ptr};
use crate::names::last_of;
use crate::syntax::{await_name, contains_ident, macro_name, take_label, take_label_of};

/// An await of a machine.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The label, or a text for the awaited expression.
    pub(super) title: String,
    pub(super) span: Span,
}

impl NativeMachine<'_> {
    /// Marks the awaits of a body, and returns them in source order. `is_own` is `true` if the
    /// coroutine awaits the body itself, and not through an attribute's code. Without a trace only
    /// labels are removed.
    pub(super) fn mark(&self, body: &mut Block, is_own: bool, is_traced: bool) -> Vec<Site> {
        let private = self.private();
        let mut marker = AwaitMarker {
            awaited: quote!(#private::AwaitOperand).into_iter().collect(),
            table: self.table(),
            is_own,
            is_traced,
            sites: Vec::new(),
            label: None,
            hidden: None,
        };
        marker.visit_block_mut(body);
        // The import is within the body's own braces, whose edition determines when temporaries of
        // its tail are dropped. Nested braces around several lines raise no lint.
        let imports = Stmt::Item(Item::Verbatim(self.imports()));
        body.stmts.insert(0, imports);
        marker.sites
    }

    /// Returns the import of the traits that marked awaits need.
    pub(super) fn imports(&self) -> TokenStream {
        let private = self.private();
        quote!(use #private::awaits::*;)
    }
}

struct AwaitMarker {
    /// The path of the type around an operand.
    awaited: Vec<TokenTree>,
    /// The type with the machine's table.
    table: Ident,
    is_own: bool,
    is_traced: bool,
    sites: Vec<Site>,
    label: Option<Ident>,
    /// A macro of the current statement that may await.
    hidden: Option<(String, Span)>,
}

impl AwaitMarker {
    /// Adds a site, and returns the index of its state. The start has index 0.
    fn add_site(&mut self, what: &str, span: Span) -> usize {
        let title = match self.label.take() {
            Some(label) => label.to_string(),
            None => format!("await {what}"),
        };
        self.sites.push(Site { title, span });
        self.sites.len()
    }

    /// Returns a statement that records the position, for awaits in a macro of the next statement.
    fn note_statement(&mut self, name: &str, span: Span) -> Stmt {
        let index = Literal::usize_unsuffixed(self.add_site(name, span));
        let (table, arguments_ptr) = (&self.table, arguments_ptr());
        let span = Span::mixed_site().located_at(span);
        parse_quote_spanned!(span=> #arguments_ptr.enter_site::<#table, #index>();)
    }

    /// Returns `AwaitOperand(base).__volt_begin().__volt_at_site::<Table, index,
    /// _>(arguments_ptr)`, built as a tree, because to parse it would take as long as all other
    /// work.
    fn mark_await(&self, base: Expr, index: usize, place: Span) -> Expr {
        let user = base.span();
        let span = Span::mixed_site().located_at(user);
        let awaited = Expr::Call(ExprCall {
            attrs: Vec::new(),
            func: Box::new(Expr::Verbatim(begun_at(&self.awaited, user))),
            paren_token: Paren(span),
            args: Punctuated::from_iter([without_parens(base)]),
        });
        let (begun, name) = if self.is_own {
            let begun = method(awaited, "__volt_begin", span);
            (Expr::MethodCall(begun), "__volt_at_site")
        } else {
            (awaited, "__volt_nested")
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
        call.args
            .push(Expr::Verbatim(arguments_ptr().into_token_stream()));
        Expr::MethodCall(call)
    }
}

impl VisitMut for AwaitMarker {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.hidden.take();
        let stmts = std::mem::take(&mut block.stmts);
        for mut stmt in stmts {
            match &mut stmt {
                Stmt::Local(node) => take_label(&mut node.attrs, &mut self.label),
                Stmt::Macro(node) => take_label(&mut node.attrs, &mut self.label),
                Stmt::Expr(expr, _) => take_label_of(expr, &mut self.label),
                Stmt::Item(_) => {}
            }
            self.visit_stmt_mut(&mut stmt);
            let hidden = self.hidden.take().filter(|_| self.is_traced);
            if let Some((name, span)) = hidden {
                let note = self.note_statement(&name, span);
                block.stmts.push(note);
            }
            self.label = None;
            block.stmts.push(stmt);
        }
        self.hidden = around;
    }

    fn visit_expr_await_mut(&mut self, node: &mut ExprAwait) {
        let title = await_name(&node.base);
        visit_mut::visit_expr_await_mut(self, node);
        if !self.is_traced {
            return;
        }
        let index = self.add_site(&title, node.await_token.span);
        let base = std::mem::replace(&mut *node.base, Expr::PLACEHOLDER);
        *node.base = self.mark_await(base, index, node.await_token.span);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if self.hidden.is_none() && awaits(mac) {
            self.hidden = Some((macro_name(mac), mac.bang_token.span));
        }
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        AllowExpected.visit_attribute_mut(attr);
    }

    fn visit_expr_closure_mut(&mut self, node: &mut syn::ExprClosure) {
        AllowExpected.visit_expr_closure_mut(node);
    }

    fn visit_expr_async_mut(&mut self, node: &mut syn::ExprAsync) {
        AllowExpected.visit_expr_async_mut(node);
    }

    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Allows the lints of clippy that are expected at statements: clippy is silent about some code in
/// which an await is marked, and the expectation would be unfulfilled.
struct AllowExpected;

impl VisitMut for AllowExpected {
    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        if let Meta::List(list) = &mut attr.meta
            && list.path.is_ident("expect")
            && contains_ident(list.tokens.clone(), "clippy")
        {
            list.path = parse_quote_spanned!(list.path.span()=> allow);
        }
    }
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

/// Returns the path with the spans of the user's tokens. An error that `?` converts has the
/// location where the expression begins, and that is this path.
pub(super) fn begun_at(path: &[TokenTree], span: Span) -> TokenStream {
    let tokens = path.iter().cloned().map(|mut token| {
        let is_crate = matches!(&token, TokenTree::Ident(word) if word == "$crate");
        if !is_crate {
            token.set_span(span);
        }
        token
    });
    tokens.collect()
}

/// Returns `true` if a macro may await: its tokens contain `await`, or its name is known.
fn awaits(mac: &Macro) -> bool {
    const KNOWN: &[&str] = &["select", "select_biased", "join", "try_join"];
    last_of(&mac.path).is_some_and(|last| KNOWN.iter().any(|name| last == name))
        || contains_ident(mac.tokens.clone(), "await")
}

/// Removes parentheses, which an argument of a call does not need.
fn without_parens(expr: Expr) -> Expr {
    match expr {
        Expr::Paren(paren) if paren.attrs.is_empty() => without_parens(*paren.expr),
        other => other,
    }
}
