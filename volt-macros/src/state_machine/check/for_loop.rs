//! `for` loops that hold an await.
//!
//! A `for` is what the language says it is, with the iterator as a local:
//!
//! ```text
//! { let mut iterator: Iter = into_iter(iterable);
//!   'label: while let Some(item) = next(&mut iterator) { let pattern: Item = item; .. } }
//! ```

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, ExprWhile, Local as SynLocal, Pat, Stmt as SynStmt, Type};
use syn::{parse_quote, parse_quote_spanned};

use super::checker::Check;
use super::written::drops;
use crate::state_machine::body::{Block, Kind, Origin, Stmt};
use crate::state_machine::errors::Rule;
use crate::state_machine::parse::peel;
use crate::state_machine::place::is_place;
use crate::state_machine::scope::{bindings, plain_name};
use crate::state_machine::source_text::source_text;

impl Check<'_> {
    pub(super) fn for_expr(&mut self, node: &ExprForLoop) -> Kind {
        let rule = match self.seen_iterator(&node.expr) {
            Some(iterator) => return self.seen_for(node, &iterator.ty, &iterator.item),
            None if self.borrows_local(&node.expr) => Rule::BorrowedIterator,
            None => Rule::AwaitInFor,
        };
        match self
            .outside(&node.expr)
            .filter(|_| rule == Rule::BorrowedIterator)
        {
            Some(instead) => self.errors.refuse_as(rule, &*node.expr, &instead),
            None => self.errors.refuse(rule, &*node.expr),
        }
        self.refused_for(node)
    }

    /// What to write to go over what lives outside of the machine.
    fn outside(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Path(_) => {
                let name = plain_name(expr).filter(|name| self.is_lent(name))?;
                let lent = self.lent.iter().find(|lent| lent.name == *name)?;
                let ty = source_text(&lent.ty);
                let mutable = if lent.mutable { "mut " } else { "" };
                let outside = format!(
                    "name the lifetime of what lives outside, `{name}: &'a {mutable}{ty}`, and go \
                     over it"
                );
                Some(match is_numbered(&lent.ty) {
                    true => format!(
                        "{outside}; or go over the indices (`for index in 0..{name}.len()`)"
                    ),
                    false => outside,
                })
            }
            Expr::Reference(reference) => {
                let local = root(&reference.expr).and_then(|name| self.local(name))?;
                let is_outside =
                    matches!(&local.ty, Some(Type::Reference(ty)) if ty.lifetime.is_some());
                let text = source_text(expr);
                is_outside.then(|| {
                    format!(
                        "give it a `let` with a written type, `let items: &'a [T] = {text};`, and go \
                         over `items`"
                    )
                })
            }
            _ => None,
        }
    }

    fn seen_for(&mut self, node: &ExprForLoop, ty: &Type, item_ty: &Type) -> Kind {
        let span = node.expr.span();
        let mut iterable = (*node.expr).clone();
        self.prove_iterable(&mut iterable);
        self.by_path(&mut iterable);
        let iterator = self.unused("iterator", span);
        let local: SynLocal = match parse_quote_spanned! {span=>
            let mut #iterator: #ty = ::core::iter::IntoIterator::into_iter(#iterable);
        } {
            SynStmt::Local(local) => local,
            _ => return self.refused_for(node),
        };
        let (pat, body) = self.item_pattern(node, item_ty);
        let cond = parse_quote_spanned! {span=>
            let ::core::option::Option::Some(#pat) = ::core::iter::Iterator::next(&mut #iterator)
        };
        let turns = ExprWhile {
            attrs: Vec::new(),
            label: node.label.clone(),
            while_token: syn::Token![while](node.for_token.span),
            cond: Box::new(cond),
            body,
        };
        let label = self.label.take();
        self.scoped(|this| {
            let declared = this.let_stmt(&local);
            this.label = label;
            let node = this.node(|this| this.while_item(&turns, &pat, item_ty));
            let stmts = vec![
                Stmt::Let(Box::new(declared)),
                Stmt::Expr {
                    node: Box::new(node),
                    semi: true,
                },
            ];
            Kind::Block(Block {
                label: None,
                unsafety: None,
                stmts,
            })
        })
    }

    /// What the item is bound to, and the body with the rest of the pattern.
    fn item_pattern(&mut self, node: &ExprForLoop, ty: &Type) -> (Pat, syn::Block) {
        let mut body = node.body.clone();
        let is_name = matches!(&*node.pat, Pat::Ident(pat)
            if pat.by_ref.is_none() && pat.subpat.is_none() && !bindings(&node.pat).is_empty());
        if is_name {
            return ((*node.pat).clone(), body);
        }
        let item = self.unused("item", node.pat.span());
        let pat = &node.pat;
        if !matches!(**pat, Pat::Wild(_)) {
            let opened = self.opened(pat, ty, &item);
            body.stmts.splice(0..0, opened);
        }
        (parse_quote!(#item), body)
    }

    /// What takes an item apart, with names for what the pattern leaves out: so all of the item is
    /// moved. What is left out is dropped behind what is not, as it would be in the item.
    fn opened(&mut self, pat: &Pat, ty: &Type, item: &Ident) -> Vec<SynStmt> {
        let (Pat::Tuple(tuple), Type::Tuple(types)) = (pat, peel(ty)) else {
            return vec![parse_quote_spanned!(pat.span()=> let #pat: #ty = #item;)];
        };
        let is_left = |elem: &Pat| matches!(elem, Pat::Wild(_));
        let elems: Vec<_> = tuple.elems.iter().zip(&types.elems).collect();
        if tuple.elems.len() != types.elems.len() || !elems.iter().any(|(elem, _)| is_left(elem)) {
            return vec![parse_quote_spanned!(pat.span()=> let #pat: #ty = #item;)];
        }
        let parts = elems
            .iter()
            .map(|(elem, _)| self.unused("part", elem.span()));
        let parts: Vec<Ident> = parts.collect();
        let mut opened = vec![parse_quote_spanned!(pat.span()=> let (#(#parts,)*): #ty = #item;)];
        let mut order: Vec<usize> = (0..elems.len()).collect();
        order.sort_by_key(|&at| match is_left(elems[at].0) {
            true => (false, elems.len() - at),
            false => (true, at),
        });
        for at in order {
            let ((elem, ty), part) = (elems[at], &parts[at]);
            let kept = self.unused("_left", elem.span());
            opened.push(match is_left(elem) {
                true if !drops(ty) => continue,
                true => parse_quote_spanned!(elem.span()=> let #kept: #ty = #part;),
                false => parse_quote_spanned!(elem.span()=> let #elem: #ty = #part;),
            });
        }
        opened
    }

    /// As far as other errors go, the body of a `for` that is refused is that of a loop.
    fn refused_for(&mut self, node: &ExprForLoop) -> Kind {
        self.scoped(|this| {
            for binding in bindings(&node.pat) {
                this.declare(&binding, Some(parse_quote!(())), Origin::Pattern);
            }
            let cond = (syn::Token![while](node.for_token.span), parse_quote!(true));
            this.turns(node.label.as_ref(), Some(cond), Vec::new(), &node.body)
        })
    }

    /// Whether the expression borrows from a local, or from what the function is lent.
    fn borrows_local(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reference(reference) => is_place(&reference.expr),
            Expr::MethodCall(call) => {
                const BORROW: &[&str] = &[
                    "iter",
                    "iter_mut",
                    "drain",
                    "keys",
                    "values",
                    "values_mut",
                    "chars",
                    "bytes",
                    "lines",
                    "chunks",
                    "windows",
                    "split",
                    "split_whitespace",
                ];
                let borrows = BORROW.iter().any(|name| call.method == name);
                (borrows && is_place(&call.receiver)) || self.borrows_local(&call.receiver)
            }
            Expr::Path(_) => {
                plain_name(expr).is_some_and(|name| self.lent.iter().any(|lent| lent.name == *name))
            }
            _ => false,
        }
    }
}

/// The name in which a place begins.
fn root(place: &Expr) -> Option<&Ident> {
    match place {
        Expr::Field(node) => root(&node.base),
        Expr::Index(node) => root(&node.expr),
        Expr::Paren(node) => root(&node.expr),
        _ => plain_name(place),
    }
}

/// Whether its elements are found by their numbers.
fn is_numbered(ty: &Type) -> bool {
    match peel(ty) {
        Type::Slice(_) | Type::Array(_) => true,
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| last.ident == "Vec" || last.ident == "VecDeque")
        }
        _ => false,
    }
}
