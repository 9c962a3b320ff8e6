//! What changes in code that stays whole: `return`, `?`, and jumps out of a resumed loop.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprTry, Ident, Label, Lifetime, Pat, Path, Stmt, Type, parse_quote};

use super::returning::returning;
use crate::state_machine::names;
use crate::state_machine::parse::is_in_place;
use crate::state_machine::scope::plain_name;

/// A loop that the code stands in.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The user's label.
    pub(crate) label: Option<Label>,
    /// The labels that stand for the loop, if the code resumes in the middle of it.
    pub(crate) resumed: Option<Resumed>,
}

/// The blocks that take the place of a loop resumed in its middle.
#[derive(Debug)]
pub(crate) struct Resumed {
    pub(crate) exit: Lifetime,
    pub(crate) again: Lifetime,
    pub(crate) exits: bool,
    pub(crate) agains: bool,
}

/// Rewrites expressions.
#[derive(Debug)]
pub(crate) struct Rewrite<'a> {
    pub(crate) volt: &'a Path,
    /// What the function returns.
    pub(crate) output: &'a Type,
    pub(crate) frames: &'a mut Vec<Frame>,
    /// What stands in the hole of a spine.
    pub(crate) hole: Option<TokenStream>,
    /// Loops of the expression itself that the code stands in.
    pub(crate) depth: usize,
}

impl Rewrite<'_> {
    fn inner_loop(&mut self, body: impl FnOnce(&mut Self)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    fn frame(&mut self, label: Option<&Lifetime>) -> Option<&mut Resumed> {
        let depth = self.depth;
        let mut frames = self.frames.iter_mut().rev();
        let found = match label {
            Some(label) => frames.find(|frame| {
                let known = frame.label.as_ref();
                known.is_some_and(|known| known.name.ident == label.ident)
            }),
            None if depth > 0 => None,
            None => frames.next(),
        };
        found.and_then(|frame| frame.resumed.as_mut())
    }

    /// `?`: the language's own, on what is left of the value, in a closure that returns what the
    /// function does. So it converts errors as the language does, and where the language does.
    ///
    /// `start` is where the expression begins, which is where the language says it is.
    fn question(&self, node: &ExprTry, start: Span) -> Expr {
        let (volt, value, returned) = (self.volt, &node.expr, self.output);
        let (output, token) = (names::local("output"), node.question_token);
        let residual = Ident::new("residual", start.resolved_at(token.span()));
        parse_quote! {
            match #volt::__private::Branch::branch(#value) {
                ::core::ops::ControlFlow::Continue(#output) => #output,
                ::core::ops::ControlFlow::Break(#residual) => {
                    return ::core::task::Poll::Ready(
                        (move || -> #returned { match #residual #token {} })()
                    )
                }
            }
        }
    }
}

impl VisitMut for Rewrite<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if plain_name(expr).is_some_and(|name| name == names::HOLE)
            && let Some(hole) = self.hole.take()
        {
            *expr = Expr::Verbatim(hole);
            return;
        }
        let start = expr.span();
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Return(node) => {
                let token = node.return_token;
                let value = node
                    .expr
                    .as_ref()
                    .map_or_else(|| quote!(()), |value| quote!(#value));
                *expr = Expr::Verbatim(quote!(#token ::core::task::Poll::Ready(#value)));
            }
            Expr::Try(node) => *expr = self.question(node, start),
            Expr::Macro(node) => {
                if let Some(returning) = returning(self.output, &node.mac) {
                    *expr = returning;
                }
            }
            Expr::Break(node) => {
                if let Some(resumed) = self.frame(node.label.as_ref()) {
                    resumed.exits = true;
                    node.label = Some(resumed.exit.clone());
                }
            }
            Expr::Continue(node) => {
                if let Some(resumed) = self.frame(node.label.as_ref()) {
                    resumed.agains = true;
                    let again = resumed.again.clone();
                    *expr = parse_quote!(break #again);
                }
            }
            Expr::Assign(node) => enclose(&mut node.left),
            Expr::Binary(node) => enclose(&mut node.left),
            Expr::Index(node) => enclose(&mut node.expr),
            Expr::Call(node) => enclose(&mut node.func),
            _ => {}
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(node) = stmt
            && let Some(returning) = returning(self.output, &node.mac)
        {
            *stmt = Stmt::Expr(returning, node.semi_token);
        } else {
            visit_mut::visit_stmt_mut(self, stmt);
        }
    }

    /// What awaits nothing may hold large locals too; they are where they should be.
    fn visit_local_mut(&mut self, node: &mut syn::Local) {
        if matches!(node.pat, Pat::Type(_)) {
            node.attrs.retain(|attr| !is_in_place(attr));
        }
        visit_mut::visit_local_mut(self, node);
    }

    fn visit_expr_loop_mut(&mut self, node: &mut syn::ExprLoop) {
        self.inner_loop(|this| visit_mut::visit_expr_loop_mut(this, node));
    }

    fn visit_expr_while_mut(&mut self, node: &mut syn::ExprWhile) {
        self.inner_loop(|this| visit_mut::visit_expr_while_mut(this, node));
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.inner_loop(|this| this.visit_block_mut(&mut node.body));
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Puts a `match` in parentheses, which at the start of a statement would be a whole one.
fn enclose(expr: &mut Expr) {
    if matches!(expr, Expr::Match(_)) {
        let node = &*expr;
        *expr = parse_quote!((#node));
    }
}
