//! What the machine believes of names, put to the compiler in the twin.
//!
//! - `Some`, `None`, `Ok` and `Err` in a pattern are those of the language, and have no destructor of
//!   their own; so is `None` in an expression.
//! - `name(&make())` in a `let` is a call, which ends with the statement. If `name` were a struct or a
//!   variant, what `make` gives would live to the end of the block; so it would if a macro made a
//!   reference of what it is given. In the twin both end with the statement, and using what the `let`
//!   binds is then an error.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprCall, Local, Macro, Pat, PatIdent, Path, Stmt};
use syn::{parse_quote, parse_quote_spanned};

use crate::state_machine::body::holds_await;
use crate::state_machine::lending::is_upper;
use crate::state_machine::names::path_at;
use crate::state_machine::scope::bindings;

/// Puts to the compiler what is believed of the names in a function.
pub(super) struct Believed<'a> {
    pub(super) volt: &'a Path,
    /// The names of variants in patterns.
    found: Vec<proc_macro2::Ident>,
}

impl<'a> Believed<'a> {
    pub(super) fn new(volt: &'a Path) -> Self {
        Self {
            volt,
            found: Vec::new(),
        }
    }

    /// Looks through the body of the function.
    fn body(&mut self, body: &mut Block) {
        self.visit_block_mut(body);
        let found = std::mem::take(&mut self.found);
        let claims = found.iter().map(|name| -> Stmt {
            let span = Span::call_site().located_at(name.span());
            let volt = path_at(self.volt, span);
            parse_quote_spanned!(span=> const _: #volt::__private::#name = #name;)
        });
        body.stmts.splice(..0, claims);
    }

    fn variant(&mut self, name: Option<&proc_macro2::Ident>) {
        const VARIANTS: &[&str] = &["Some", "None", "Ok", "Err"];
        if let Some(name) = name
            && VARIANTS.iter().any(|known| name == known)
            && !self.found.contains(name)
        {
            self.found.push(name.clone());
        }
    }

    /// Ends with the statement what a call or a macro in a `let` may keep. Whether there was one.
    fn end(&self, expr: &mut Expr) -> bool {
        match expr {
            Expr::Paren(node) => self.end(&mut node.expr),
            Expr::Group(node) => self.end(&mut node.expr),
            Expr::Cast(node) => self.end(&mut node.expr),
            Expr::Reference(node) => self.end(&mut node.expr),
            Expr::Tuple(node) => self.end_each(&mut node.elems),
            Expr::Array(node) => self.end_each(&mut node.elems),
            Expr::Struct(node) => self.end_each(node.fields.iter_mut().map(|it| &mut it.expr)),
            Expr::Call(node) if calls_upper(node) => self.end_each(&mut node.args),
            Expr::Call(node) if node.args.iter().any(may_extend) => self.end_here(expr),
            Expr::Macro(node) if !is_proven(&node.mac) => self.end_here(expr),
            Expr::Block(node) => self.end_last(&mut node.block),
            Expr::Unsafe(node) => self.end_last(&mut node.block),
            Expr::If(node) => {
                let otherwise = node.else_branch.as_mut();
                let in_else = otherwise.is_some_and(|(_, otherwise)| self.end(otherwise));
                self.end_last(&mut node.then_branch) | in_else
            }
            Expr::Match(node) => self.end_each(node.arms.iter_mut().map(|arm| &mut *arm.body)),
            _ => false,
        }
    }

    fn end_each<'e>(&self, exprs: impl IntoIterator<Item = &'e mut Expr>) -> bool {
        let ended = exprs.into_iter().map(|expr| self.end(expr));
        ended.fold(false, |any, ended| any | ended)
    }

    fn end_last(&self, block: &mut Block) -> bool {
        match block.stmts.last_mut() {
            Some(Stmt::Expr(last, None)) => self.end(last),
            _ => false,
        }
    }

    fn end_here(&self, expr: &mut Expr) -> bool {
        let span = Span::call_site().located_at(expr.span());
        let volt = path_at(self.volt, span);
        *expr = parse_quote_spanned!(span=> #volt::__private::ended(#expr));
        true
    }

    /// The use of what a `let` binds, if something was ended in it.
    fn used(&self, local: &mut Local) -> Option<Stmt> {
        let init = local.init.as_mut()?;
        if !self.end(&mut init.expr) {
            return None;
        }
        local
            .attrs
            .push(parse_quote!(#[allow(unreachable_code, reason = "it may leave")]));
        let bound = bindings(&local.pat);
        let bound = bound.iter().map(|binding| {
            let (name, span) = (&binding.ident, binding.ident.span());
            quote_spanned!(span=> &#name)
        });
        Some(parse_quote!(let _ = (#(#bound,)*);))
    }
}

impl VisitMut for Believed<'_> {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.body(&mut item.block);
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        self.body(&mut item.block);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let last = block.stmts.iter().rposition(holds_await).unwrap_or(0);
        let stmts = std::mem::take(&mut block.stmts).into_iter().enumerate();
        block.stmts = stmts
            .flat_map(|(index, mut stmt)| {
                let used = match &mut stmt {
                    Stmt::Local(local) if index < last => self.used(local),
                    _ => None,
                };
                std::iter::once(stmt).chain(used)
            })
            .collect();
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        match pat {
            Pat::TupleStruct(pat) => self.variant(pat.path.get_ident()),
            Pat::Ident(PatIdent {
                ident,
                subpat: None,
                ..
            }) => {
                self.variant(Some(ident));
            }
            _ => {}
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        let name = path.path.get_ident().filter(|name| *name == "None");
        self.variant(name);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether the name of what is called is that of a struct or a variant.
fn calls_upper(call: &ExprCall) -> bool {
    match &*call.func {
        Expr::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|it| is_upper(&it.ident)),
        _ => true,
    }
}

/// Whether an argument would keep a temporary alive if it were a field.
fn may_extend(argument: &Expr) -> bool {
    match argument {
        Expr::Paren(node) => may_extend(&node.expr),
        Expr::Group(node) => may_extend(&node.expr),
        Expr::Cast(node) => may_extend(&node.expr),
        Expr::Reference(node) => !is_lasting(&node.expr),
        Expr::Tuple(node) => node.elems.iter().any(may_extend),
        Expr::Array(node) => node.elems.iter().any(may_extend),
        Expr::Struct(node) => node.fields.iter().any(|field| may_extend(&field.expr)),
        Expr::Call(node) => node.args.iter().any(may_extend),
        Expr::Macro(_) => true,
        Expr::Block(_) | Expr::Unsafe(_) | Expr::If(_) | Expr::Match(_) => true,
        _ => false,
    }
}

/// Whether what is borrowed lives on anyway, or has no destructor.
fn is_lasting(place: &Expr) -> bool {
    match place {
        Expr::Path(_) | Expr::Lit(_) | Expr::Reference(_) => true,
        Expr::Field(node) => is_lasting(&node.base),
        Expr::Index(node) => is_lasting(&node.expr),
        Expr::Unary(node) => is_lasting(&node.expr),
        Expr::Paren(node) => is_lasting(&node.expr),
        Expr::Group(node) => is_lasting(&node.expr),
        _ => false,
    }
}

/// Whether it is a macro that keeps what it is given, which is proven.
fn is_proven(mac: &Macro) -> bool {
    let last = mac.path.segments.last();
    last.is_some_and(|last| last.ident == "pin" || last.ident == "format_args")
}
